-- Fast path for units: applies when all units of all keys fit, and few entries of each log have expired. Else nothing is
-- changed, and the general path decides. Replies as the general path does, with all keys left over.
local limit, window = ARGV[5] + 0, ARGV[6] + 0
-- Texts, because Redis 7.0 takes half a microsecond to pass a number.
local stamp, expires = ('%.0f'):format(now_us), ('%.0f'):format(ceil((now_us + window) / 1000))
local MAX_EXPIRED, expired, lives, oldest = 4, {}, {}, {}
for index = 1, #KEYS do
  local key, units = KEYS[index], (ARGV[units_at + index] or 1) + 0
  local size = pcall('LLEN', key)
  if type(size) ~= 'number' then break end
  local gone, first = 0, stamp
  if size > 0 then
    local newest = call('LINDEX', key, '-1')
    first = call('LINDEX', key, '0')
    local is_readable = #newest <= 16 and #first <= 16 and newest:find('^[1-9]%d*$') and first:find('^[1-9]%d*$')
    if not is_readable or newest + 0 > now_us then break end
    while gone < MAX_EXPIRED and first + 0 <= now_us - window do
      gone = gone + 1
      first = call('LINDEX', key, gone) or stamp
    end
    if first + 0 <= now_us - window then break end
  end
  if size - gone + units > limit then break end
  expired[index], lives[index], oldest[index] = gone, size - gone, first + 0
end

for index = 1, #KEYS do fast_reply[index + 1] = LEFT_OVER end
if #lives == #KEYS then
  local place = #fast_reply
  for index, key in ipairs(KEYS) do
    local units, stamps = ARGV[units_at + index], { stamp }
    if expired[index] > 0 then call('LPOP', key, expired[index]) end
    for unit = 2, units or 1 do stamps[unit] = stamp end
    call('RPUSH', key, unpack(stamps))
    call('PEXPIREAT', key, expires)
    for unit = 1, #stamps do
      fast_reply[place + 1], fast_reply[place + 2] = limit - lives[index] - unit, 0
      fast_reply[place + 3], fast_reply[place + 4] = oldest[index] + window - now_us, window
      place = place + 4
    end
  end
  return reply_of(fast_reply)
end
is_complete = false

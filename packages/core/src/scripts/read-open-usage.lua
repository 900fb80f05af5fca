-- Reads the open hours of usage, and drops usage without one from the set.
--
-- KEYS  the set of usage with open hours; then some of that usage.
-- ARGV  for each of the latter the oldest hour that may be open, unless a refund of an earlier one has come since.
-- Returns the server's microseconds; then for each its label or '', and of each open hour its number, the units that no export has,
-- and those that one has.
local this_hour = floor(now_us / 3600000000)
local reply = { ('%.0f'):format(now_us) }

-- Reads the hours from one on.
local function read(usage, hour)
  local fields, found = { 'label' }, {}
  hour = max(hour, this_hour - 1487)
  for each = hour, this_hour do
    fields[#fields + 1] = ('%.0f'):format(each)
    fields[#fields + 1] = 'x' .. fields[#fields]
  end
  local values = pcall('HMGET', usage, unpack(fields))
  -- A key of another type belongs to another program.
  if values.err then values = {} end
  found[1] = values[1] or ''
  for index = 2, #fields, 2 do
    local size = #found
    if values[index] then
      found[size + 1], found[size + 2], found[size + 3] = fields[index], values[index], values[index + 1] or '0'
    end
  end
  return found
end

for index = 2, #KEYS do
  local usage = KEYS[index]
  local hour = ARGV[index - 1] + 0
  local found = read(usage, min(hour, tonumber(call('ZSCORE', KEYS[1], usage) or hour)))
  local oldest = found[2]
  if not oldest then
    -- Also of a clock that was ahead.
    oldest = oldest_hour(usage)
    if oldest then found = read(usage, oldest) end
  end
  if oldest then call('ZADD', KEYS[1], oldest, usage) else call('ZREM', KEYS[1], usage) end
  reply[index] = found
end
return reply

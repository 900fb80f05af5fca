-- Fast path for a lone unit. Applies to a key without a time and to one whose time is not ahead. Any other key is left over,
-- unchanged.
-- ARGV  capacity, limit, quotient, overdraft.
local key, quotient, state = KEYS[1], ARGV[3] + 0, nil
local tolerance, text = ARGV[1] * quotient, pcall('GET', key)
local time = not text and 0 or type(text) == 'string' and tonumber(text) or -1
if time >= 0 and time <= now_us + tolerance then
  local from = max(time, now_us)
  local after, grain = from + quotient, ceil(quotient * ARGV[2] / 64)
  local grain_ends = after - after % grain + grain
  -- A key outlives all times of a grain, by a refill.
  if not text then
    call('SET', key, after, 'PXAT', ceil((grain_ends + tolerance + 2) / 1000))
    state = 0
  elseif after > now_us + tolerance then
    state = text:find('^[1-9]%d*$') and from - now_us
  -- INCRBY decides whether the text is an integer.
  elseif pcall('INCRBY', key, after - time) == after then
    state = from - now_us
    -- This also heals a TTL that is missing or too short.
    if time < grain_ends - grain and call('PEXPIRETIME', key) * 1000 < grain_ends then
      call('PEXPIREAT', key, ceil((grain_ends + tolerance + 2) / 1000))
    end
  end
end

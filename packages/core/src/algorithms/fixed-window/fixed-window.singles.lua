-- Units of a fixed window, key by key, as long as what is found is what is mostly there. They are charged first, and what
-- is too many is taken back: two commands a key where a first request has begun the window, and one by the clock.
-- Tells of each key the count; where a first request begins the window, count * span + milliseconds left, for one number
-- is told faster than two.
-- Numbers: tick, capacity, limit, window, anchor (0 first, 1 clock).
local limit, window, clock = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1'
local repeats = 7
local reply, replies, rest = { now_us }, 1, nil
-- By the clock a value is (index mod 2^21) * 2^32 + count; else it is the count.
local base, latest = 0, ceil((now_us + window) / 1000)
if clock then
  base, latest = floor(now_us / window) % 2097152 * 4294967296, ceil((floor(now_us / window) + 1) * window / 1000)
end
local now_ms, span = floor(now_us / 1000), ceil(window / 1000) + 2
local is_told = clock or (limit + 1) * span < 9007199254740992
for index = 1, #KEYS do
  local key, units, count = KEYS[index], ARGV[repeats + index], nil
  if is_told and units then
    count, units = pcall('INCRBY', key, units), tonumber(units)
  elseif is_told then
    count, units = pcall('INCR', key), 1
  end
  local found, expires = nil, nil
  if type(count) == 'number' then
    found = count - units
    if clock then
      expires = latest
      if found == 0 then
        -- Nothing was there, or nothing was charged in another window.
        call('SET', key, base + min(units, limit), 'PXAT', latest)
        count = base + min(units, limit)
      elseif found < base or count >= base + 4294967296 then
        expires = nil
      end
    elseif found == 0 and call('PEXPIREAT', key, latest, 'NX') == 1 then
      expires = latest
    else
      expires = call('PEXPIRETIME', key)
      if found < 0 or found > limit or expires * 1000 <= now_us or expires > latest then expires = nil end
    end
    if not expires then
      call('DECRBY', key, units)
    elseif count > base + limit then
      call('DECRBY', key, min(units, count - base - limit))
    end
  end
  replies = replies + 1
  if expires then
    reply[replies] = clock and max(0, found - base) or found * span + expires - now_ms
  else
    rest = rest or {}
    rest[index] = replies
  end
end
if not rest then return reply end

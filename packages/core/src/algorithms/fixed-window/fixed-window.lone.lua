-- Fast path for a lone unit: charges first, and takes back what does not fit.
-- Applies to a key with a current window or without one. Any other key is left over, unchanged.
-- ARGV  limit, reach, grain.
local key, grain, state = KEYS[1], ARGV[3] + 0, nil
local latest = ceil((now_us + ARGV[2]) / grain)
local empty, low = latest % PART_RANGE * COUNT_RANGE, (floor(now_us / grain) % PART_RANGE + 1) * COUNT_RANGE
-- A client may read the last integers below 2^53 as 2^53.
local high, wrapped = min(empty + COUNT_RANGE, 2 ^ 53 - 64), 0
if high <= low then high, wrapped = 2 ^ 53 - 64, high end
local value = pcall('INCR', key)
if type(value) == 'number' then
  local found = value - 1
  if found >= low and value < high or found > 0 and value < wrapped then
    if found % COUNT_RANGE >= ARGV[1] + 0 then call('DECRBY', key, 1) end
    state = found
  elseif found == 0 and (wrapped == 0 or call('PEXPIRETIME', key) == -1) then
    -- There was no key, or nothing was charged in another window.
    call('SET', key, empty + 1, 'PXAT', ceil(latest * grain / 1000))
    state = 0
  else
    call('DECRBY', key, 1)
  end
end

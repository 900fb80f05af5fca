-- Fast path for a lone unit: charges first, and takes back what is not the usual case.
-- ARGV  tick, limit, slot, tick of a log.
local key, limit, slot, stored, state = KEYS[1], ARGV[2] + 0, ARGV[3] + 0, nil, nil
local now = floor(now_us / ARGV[1])
local newest = floor(now / slot)
local value = pcall('INCR', key)
if type(value) == 'number' then
  stored = value - 1
  local found, newer = stored - newest % SLOT_RANGE * UNIT_RANGE * UNIT_RANGE, stored % UNIT_RANGE
  local older, covered = (found - newer) / UNIT_RANGE, slot - (now - newest * slot)
  -- Usually the slot of now is there, and the unit fits.
  if stored > 0 and older >= 0 and older < UNIT_RANGE
    and older * covered <= (min(limit, UNIT_RANGE - 1) - newer - 1) * slot then
    state = found
  else
    call('DECRBY', key, 1)
  end
end

-- A key outlives all times of a grain, by a refill. So its TTL changes only with the grain, a 64th of the window, which all
-- limits of a key share.
local function grain_of(limit, quotient, remainder)
  return ceil((quotient * limit + remainder) / 64)
end

local function expiry_of(ticks, policy)
  return ceil((ticks - ticks % policy.grain + policy.grain + policy.tolerance + 2) / 1000)
end

-- Extends the life of a key whose time has moved on to another grain. This also heals a TTL that is missing or too short.
local function extend_life(key, stored, ticks, policy)
  local grain_begins = ticks - ticks % policy.grain
  if stored < grain_begins and call('PEXPIRETIME', key) * 1000 < grain_begins + policy.grain then
    call('PEXPIREAT', key, expiry_of(ticks, policy))
  end
end

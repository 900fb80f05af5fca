-- A ring of two slots with counts below 2^20 is stored as one integer: ((newest mod 2^13) * 2^20 + older) * 2^20 + newer.
local UNIT_RANGE, SLOT_RANGE = 2 ^ 20, 2 ^ 13

local function pack_slots(newest, older, newer)
  return (newest % SLOT_RANGE * UNIT_RANGE + older) * UNIT_RANGE + newer
end

local function unpack_slots(value)
  local newer = value % UNIT_RANGE
  local rest = (value - newer) / UNIT_RANGE
  local older = rest % UNIT_RANGE
  return (rest - older) / UNIT_RANGE, older, newer
end

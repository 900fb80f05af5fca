local function pack_slots(newest, older, newer)
  return (newest % SLOT_RANGE * UNIT_RANGE + older) * UNIT_RANGE + newer
end

local function unpack_slots(value)
  local newer = value % UNIT_RANGE
  local rest = (value - newer) / UNIT_RANGE
  local older = rest % UNIT_RANGE
  return (rest - older) / UNIT_RANGE, older, newer
end

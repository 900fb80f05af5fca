-- A window is stored as one integer: (part mod 2^21) * 2^32 + count, where part = ends / grain.
local COUNT_RANGE, PART_RANGE = 2 ^ 32, 2 ^ 21

local function pack_window(count, part)
  return part % PART_RANGE * COUNT_RANGE + count
end

-- Only the lower bits of a part are stored: of the parts with these bits, the nearest to the middle of a window is meant.
local function unpack_window(value, now, policy)
  local count = value % COUNT_RANGE
  local middle = floor((now + policy.reach / 2) / policy.grain)
  local age = (middle - (value - count) / COUNT_RANGE) % PART_RANGE
  if age >= PART_RANGE / 2 then age = age - PART_RANGE end
  return count, middle - age
end

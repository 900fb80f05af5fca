-- A window is stored as one integer: (part mod 2^21) * 2^32 + count, where part = ends / grain.
local COUNT_RANGE, PART_RANGE = 2 ^ 32, 2 ^ 21

local function pack_window(count, part)
  return part % PART_RANGE * COUNT_RANGE + count
end

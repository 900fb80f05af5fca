-- A window is stored as one integer: part % PART_RANGE * COUNT_RANGE + count, where part = ends / grain.
local COUNT_RANGE, PART_RANGE = 2 ^ 32, 2 ^ 21

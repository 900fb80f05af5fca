-- What the fast paths know of a policy, whose numbers begin at `at` in ARGV. A current window has a value from `low` on and
-- below `high`; or above 0 and below `wrapped`, where the lower bits of a part begin again within the window. A window that
-- begins now is stored as `empty`, until `expires`.
local function fast_policy(at)
  local limit, reach, grain = ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 4] + 0
  local latest = ceil((now_us + reach) / grain)
  local empty, low = latest % PART_RANGE * COUNT_RANGE, (floor(now_us / grain) % PART_RANGE + 1) * COUNT_RANGE
  local high = empty + COUNT_RANGE
  local wrapped = high <= low and high or 0
  -- A client may read the last integers below 2^53 as 2^53.
  return limit, low, min(wrapped > 0 and 2 ^ 53 or high, 2 ^ 53 - 64), wrapped, empty, ceil(latest * grain / 1000)
end

-- Counts the usage of the keys whose usage is among the last KEYS.
local is_counted = {}
while KEYS[#KEYS] and KEYS[#KEYS]:sub(-6) == ':usage' do
  is_counted[KEYS[#KEYS]] = true
  KEYS[#KEYS] = nil
end

local charge_uncounted = charge
charge = function(claim)
  charge_uncounted(claim)
  local key = KEYS[keys[claim]]
  if charges[claim] > 0 and is_counted[usage_key(key)] then count_usage(key, this_hour, charges[claim]) end
end

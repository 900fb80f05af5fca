-- Counts the usage of the keys whose usage is among the last KEYS.
local places = {}
do
  local last = #KEYS
  while KEYS[last] and KEYS[last]:sub(-5) == ':used' do last = last - 1 end
  for index = #KEYS, last + 1, -1 do
    places[KEYS[index]] = index - last
    KEYS[index] = nil
  end
end

local charge_uncounted = charge
charge = function(claim)
  charge_uncounted(claim)
  local usage = usage_key(KEYS[keys[claim]])
  if charges[claim] > 0 and places[usage] then
    count_usage(usage, this_hour, charges[claim])
    name_usage(usage, labels[places[usage]])
  end
end

-- Fast path for groups: reads all keys at once, decides the groups in order, and writes each charged key once.
-- Applies when `fast_read` can read every key. Else it returns nothing, with nothing changed.
-- Returns for each key the state found.
local function fast_groups(keys, policies)
  local values, reply = read_integers(keys), { now_us, unpack(keys) }
  local rooms, units, policy_of = {}, {}, {}
  for first = 0, (claims and #claims or #keys) - 1, size do
    local is_admitted = true
    for place = 1, size do
      local index = claims and claims[first + place] or first + place
      local room = rooms[index]
      if not room then
        local value, policy, found = values[index], policies[place], nil
        if value then found, room = fast_read(value, policy) end
        if not found then return end
        reply[index + 1], rooms[index], units[index], policy_of[index] = found, room, 0, policy
      end
      if room <= 0 then is_admitted = false end
    end
    for place = 1, is_admitted and size or 0 do
      local index = claims and claims[first + place] or first + place
      rooms[index], units[index] = rooms[index] - 1, units[index] + 1
    end
  end
  for index = 1, #keys do
    local count = units[index]
    if count > 0 then fast_charge(keys[index], values[index], reply[index + 1], count, policy_of[index]) end
  end
  return reply
end

local fast_policies = {}
for place = 1, size do fast_policies[place] = fast_window(4 + width * (place - 1)) end
local fast_reply = fast_groups(KEYS, fast_policies)
-- The general path below is not even defined when it is not needed.
if fast_reply then return reply_of(fast_reply) end

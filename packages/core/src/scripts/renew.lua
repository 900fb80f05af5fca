-- Lets units that are held count for longer.
--
-- KEYS  their keys.
-- ARGV  for each key its policy, how many units follow, then their names.
-- Returns for each key how many of its units had lapsed, or its error text.
local reply, position, policies = {}, 1, nil
for index, key in ipairs(KEYS) do
  policies, position = read_policies(ARGV, position, 1)
  local policy, units = policies[1], {}
  for number = 1, tonumber(ARGV[position]) do units[number] = ARGV[position + number] end
  local stored, _, problem = policy.algorithm.fetch(key, policy.now, policy)
  reply[index] = problem or policy.algorithm.renew(key, stored, policy.now, policy, units)
  position = position + 1 + #units
end
return reply

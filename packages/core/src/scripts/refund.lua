-- Gives back what receipts stand for, one after the other.
--
-- KEYS  the key of each receipt, in order.
-- ARGV  for each receipt its policy, then units, at and until, the times in ticks of the policy; then 1 for an undo, or 0; then the
--       own number of the receipt.
-- Returns the units given back for each, or its error text.
local reply, position, policies = {}, 1, nil
for index, key in ipairs(KEYS) do
  policies, position = read_policies(ARGV, position, 1)
  local policy, algorithm, now = policies[1], policies[1].algorithm, policies[1].now
  -- `until` is a keyword of Lua.
  local units, at, until_ = tonumber(ARGV[position]), tonumber(ARGV[position + 1]), tonumber(ARGV[position + 2])
  local undone, before = ARGV[position + 3] == '1', tonumber(ARGV[position + 4])
  position = position + 5
  local stored_one, stored_two, problem = algorithm.fetch(key, now, policy)
  if problem then
    reply[index] = problem
  elseif not stored_one then
    reply[index] = 0
  else
    local one, two, given = algorithm.refund(stored_one, stored_two, now, policy, units, at, until_, undone, before)
    if given > 0 then algorithm.save(key, one, two, stored_one, stored_two, policy) end
    reply[index] = given
  end
end
return reply

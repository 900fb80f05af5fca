-- Gives back what receipts stand for, one after the other.
--
-- KEYS  the key of each receipt, in order.
-- ARGV  for each receipt: its algorithm's letters, how many numbers follow, the numbers (tick, capacity, its own),
--       then units, at and until, the times in ticks of the policy.
-- Returns the units given back for each, or its error text.
local reply = {}
local position = 1
for index, key in ipairs(KEYS) do
  local algorithm, size, numbers = algorithms[ARGV[position]], tonumber(ARGV[position + 1]), {}
  for offset = 1, size do numbers[offset] = tonumber(ARGV[position + 1 + offset]) end
  position = position + 2 + size
  local units, at, till = tonumber(ARGV[position]), tonumber(ARGV[position + 1]), tonumber(ARGV[position + 2])
  position = position + 3
  local policy = algorithm.policy(numbers)
  policy.tick, policy.capacity = numbers[1], numbers[2]
  local now = floor(now_us / policy.tick)
  local kept_one, kept_two, problem = algorithm.fetch(key, now, policy)
  if problem then
    reply[index] = problem
  elseif not kept_one then
    reply[index] = 0
  else
    local one, two, given = algorithm.refund(kept_one, kept_two, now, policy, units, at, till)
    if given > 0 then algorithm.save(key, one, two, kept_one, kept_two, policy) end
    reply[index] = given
  end
end
return reply

-- Decides one unit of each key, each on its own, by one policy: what most calls are, without the bookkeeping of groups.
--
-- KEYS  the keys, each once.
-- ARGV  the algorithm's letters, how many numbers follow, the numbers (tick, capacity, its own).
-- Returns the server's microseconds, then for each key one error text, or remaining, retry_after (-1: never),
--       replenish_after, reset_after in ticks of the policy; then the delay of a leaky bucket, or the limit of the
--       binding window of several.
local algorithm, numbers = algorithms[ARGV[1]], {}
for index = 1, tonumber(ARGV[2]) do numbers[index] = tonumber(ARGV[index + 2]) end
local policy = algorithm.policy(numbers)
policy.tick, policy.capacity = numbers[1], numbers[2]
local now = floor(now_us / policy.tick)
local fetch, ahead, read, wait_for_one = algorithm.fetch, algorithm.ahead, algorithm.read, algorithm.wait
local charge, describe, save = algorithm.charge, algorithm.describe, algorithm.save
local reply, replies = { now_us }, 1
for index, key in ipairs(KEYS) do
  local kept_one, kept_two, problem = fetch(key, now, policy)
  if problem then
    replies = replies + 1
    reply[replies] = problem
  else
    local saves = kept_one and ahead(kept_one, kept_two, now, policy)
    local one, two = read(kept_one, kept_two, now, policy)
    local wait, charged = wait_for_one(one, two, now, policy, 1), 0
    if wait == 0 then
      one, two = charge(one, two, now, policy, 1)
      saves, charged = true, 1
    end
    local remaining, replenish_after, reset_after, detail = describe(one, two, now, policy, 1, charged, wait)
    reply[replies + 1], reply[replies + 2], reply[replies + 3], reply[replies + 4] = remaining, wait, replenish_after, reset_after
    replies = replies + 4
    if detail then
      replies = replies + 1
      reply[replies] = detail
    end
    if saves then save(key, one, two, kept_one, kept_two, policy) end
  end
end
return reply

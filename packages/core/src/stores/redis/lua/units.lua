-- Decides units of keys, each on its own, by one policy: what most calls are, without the bookkeeping of groups. Before
-- this part stands the short way of an algorithm; what it leaves, `rest`, is decided here.
--
-- KEYS  the keys, each once.
-- ARGV  the algorithm's letters, how many numbers follow, the numbers (tick, capacity, its own); then the units asked of
--       each key, one after the other, where it is more than one of any.
-- Returns the server's microseconds, then for each key one of
--         what was found under it, before anything was charged: one integer, which the short way of the algorithm says;
--         an array of remaining, retry_after (-1: never), replenish_after, reset_after for each unit, in ticks of the
--           policy; and the delay of a leaky bucket, or the limit of the binding window of several;
--         an error text.
local algorithm, numbers = algorithms[ARGV[1]], {}
for index = 1, tonumber(ARGV[2]) do numbers[index] = tonumber(ARGV[index + 2]) end
local policy = algorithm.policy(numbers)
policy.tick, policy.capacity = numbers[1], numbers[2]
local now = floor(now_us / policy.tick)
for index, place in pairs(rest) do
  local key, units = KEYS[index], tonumber(ARGV[repeats + index] or 1)
  local kept_one, kept_two, problem = algorithm.fetch(key, now, policy)
  if problem then
    reply[place] = problem
  else
    local saves = kept_one and algorithm.ahead(kept_one, kept_two, now, policy)
    local one, two = algorithm.read(kept_one, kept_two, now, policy)
    local rulings, size = {}, 0
    for _ = 1, units do
      local wait, charged = algorithm.wait(one, two, now, policy, 1), 0
      if wait == 0 then
        one, two = algorithm.charge(one, two, now, policy, 1)
        saves, charged = true, 1
      end
      local remaining, replenish_after, reset_after, detail = algorithm.describe(one, two, now, policy, 1, charged, wait)
      rulings[size + 1], rulings[size + 2], rulings[size + 3], rulings[size + 4] = remaining, wait, replenish_after, reset_after
      rulings[size + 5] = detail
      size = #rulings
    end
    reply[place] = rulings
    if saves then algorithm.save(key, one, two, kept_one, kept_two, policy) end
  end
end
return reply

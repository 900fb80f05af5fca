-- A token bucket whose denied requests stand in line: the bucket, and how long units wait.
local lined_bucket = lined(token_bucket, function(policy) return policy.quotient * policy.limit + policy.remainder end)
local lined_moving_bucket = {}
for name, step in pairs(moving_bucket) do lined_moving_bucket[name] = step end
algorithms.ltb = lined_bucket

local plain_policy = lined_bucket.policy
function lined_bucket.policy(numbers)
  local policy = plain_policy(numbers)
  if policy.algorithm then policy.algorithm = lined_moving_bucket end
  return policy
end

function lined_bucket.wait(ticks, rest, now, policy, cost)
  ticks, rest = debt(ticks, rest, now)
  ticks = ticks + cost * policy.quotient - policy.tolerance
  local parts = rest + cost * policy.remainder - policy.tolerance_rest
  return max(0, ticks + ceil(parts / policy.limit))
end

function lined_moving_bucket.wait(state, _, now, policy, cost)
  local ticks = moving_debt(state, now)
  if ticks == 0 then return 0 end
  return max(0, ticks - ticks_of(state, policy.capacity - cost))
end

-- Units of a bucket refill one by one.
function lined_bucket.step(policy, cost)
  return cost * policy.quotient + ceil((cost * policy.remainder) / policy.limit)
end

lined_moving_bucket.step = lined_bucket.step

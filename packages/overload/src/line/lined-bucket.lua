-- A token bucket whose denied requests stand in line: the bucket, and how long units wait.
-- Policy: that of the token bucket; then longest, keep, by, slice.
local lined_bucket, lined_moving_bucket = {}, {}
for name, step in pairs(token_bucket) do lined_bucket[name] = step end
for name, step in pairs(moving_bucket) do lined_moving_bucket[name] = step end
algorithms.ltb = lined_bucket

function lined_bucket.policy(numbers)
  local slice, by = table.remove(numbers), table.remove(numbers) == 1
  local keep, longest = table.remove(numbers), table.remove(numbers)
  local policy = token_bucket.policy(numbers)
  policy.line = { longest = longest, keep = keep, by = by, slice = slice, span = policy.quotient * policy.limit + policy.remainder }
  policy.is_held = keep > 0
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

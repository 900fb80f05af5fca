-- State and policy of the token bucket.
local leaky_bucket = {
  is_ahead = token_bucket.is_ahead, read = token_bucket.read, wait = token_bucket.wait,
  remaining = token_bucket.remaining, charge = token_bucket.charge, fetch = token_bucket.fetch, save = token_bucket.save,
}
algorithms.lb = leaky_bucket

function leaky_bucket.policy(numbers)
  local policy = token_bucket.policy(numbers)
  policy.queued = true
  return policy
end

function leaky_bucket.describe(ticks, rest, now, policy, _, charged, retry_after)
  local remaining, replenish_after, reset_after = token_bucket.describe(ticks, rest, now, policy)
  if retry_after ~= 0 then return remaining, replenish_after, reset_after, 0 end
  local before, before_rest = token_bucket.refund(ticks, rest, now, policy, charged, now, math.huge)
  local _, _, delay = token_bucket.describe(before, before_rest, now, policy)
  return remaining, replenish_after, reset_after, delay
end

function leaky_bucket.refund(ticks, rest, now, policy, units, at, until_)
  if (rest > 0 and ticks + 1 or ticks) ~= until_ then return ticks, rest, 0 end
  return token_bucket.refund(ticks, rest, now, policy, units, at, until_)
end

-- State and policy of the token bucket.
local leaky_bucket = {
  is_ahead = token_bucket.is_ahead, read = token_bucket.read, fits = token_bucket.fits,
  remaining = token_bucket.remaining, charge = token_bucket.charge, fetch = token_bucket.fetch, save = token_bucket.save,
}
algorithms.lb = leaky_bucket

function leaky_bucket.policy(numbers)
  local policy = token_bucket.policy(numbers)
  policy.queued = true
  return policy
end

function leaky_bucket.refund(ticks, rest, now, policy, units, at, until_)
  if (rest > 0 and ticks + 1 or ticks) ~= until_ then return ticks, rest, 0 end
  return token_bucket.refund(ticks, rest, now, policy, units, at, until_)
end

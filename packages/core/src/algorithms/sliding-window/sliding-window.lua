-- One window over a ring of slots.
-- Policy: limit, slot, slots, strict.
local sliding_window = {
  is_ahead = is_ring_ahead, read = read_ring, refund = refund_ring, fetch = fetch_ring, save = save_ring,
}
algorithms.sw = sliding_window

function sliding_window.policy(numbers)
  local slots = numbers[5]
  return { limit = numbers[3], slot = numbers[4], slots = slots, ring = slots + 1, strict = numbers[6] == 1 }
end

function sliding_window.wait(state, _, now, policy, cost)
  return wait_for(state, now, policy, policy, policy.limit - cost)
end

function sliding_window.remaining(state, _, now, policy)
  return max(0, policy.limit - used(state, now, policy, policy))
end

function sliding_window.charge(state, value, now, policy, cost)
  return charge_ring(state, value, min(cost, sliding_window.remaining(state, value, now, policy)))
end

function sliding_window.describe(state, value, now, policy)
  local limit = policy.limit
  local remaining, replenish_after = sliding_window.remaining(state, value, now, policy), 0
  if remaining < limit then replenish_after = wait_for(state, now, policy, policy, limit - remaining - 1) end
  return remaining, replenish_after, empty_after(state, now, policy)
end

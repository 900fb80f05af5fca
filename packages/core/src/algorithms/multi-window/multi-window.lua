-- Several windows over one ring of slots, longest first.
-- Policy: slot, ring, then limit and slots of each window.
local multi_window = {
  is_ahead = is_ring_ahead, read = read_ring, refund = refund_ring, fetch = fetch_ring, save = save_ring,
}
algorithms.mw = multi_window

function multi_window.policy(numbers)
  local windows = {}
  for index = 5, #numbers, 2 do
    windows[#windows + 1] = { limit = numbers[index], slots = numbers[index + 1], strict = false }
  end
  return { slot = numbers[3], ring = numbers[4], windows = windows }
end

function multi_window.fits(state, value, now, policy, cost)
  return multi_window.remaining(state, value, now, policy) >= cost
end

function multi_window.remaining(state, _, now, policy)
  local least = policy.capacity
  for _, window in ipairs(policy.windows) do least = min(least, window.limit - used(state, now, policy, window)) end
  return max(0, least)
end

function multi_window.charge(state, value, now, policy, cost)
  return charge_ring(state, value, min(cost, multi_window.remaining(state, value, now, policy)))
end

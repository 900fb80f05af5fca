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

local function left_in(state, now, policy, window)
  return max(0, window.limit - used(state, now, policy, window))
end

function multi_window.wait(state, _, now, policy, cost)
  local longest = 0
  for _, window in ipairs(policy.windows) do
    longest = max(longest, wait_for(state, now, policy, window, window.limit - cost))
  end
  return longest
end

function multi_window.remaining(state, _, now, policy)
  local least = policy.capacity
  for _, window in ipairs(policy.windows) do least = min(least, left_in(state, now, policy, window)) end
  return least
end

function multi_window.charge(state, value, now, policy, cost)
  return charge_ring(state, value, min(cost, multi_window.remaining(state, value, now, policy)))
end

local function denying_window(state, now, policy, cost)
  local denying, longest = policy.windows[1], -1
  for _, window in ipairs(policy.windows) do
    if cost > window.limit then return window end
    local wait = wait_for(state, now, policy, window, window.limit - cost)
    if wait > longest then denying, longest = window, wait end
  end
  return denying
end

function multi_window.describe(state, _, now, policy, cost, _, retry_after)
  local limit, remaining, replenish_after = 0, math.huge, 0
  for _, window in ipairs(policy.windows) do
    local left, wait = left_in(state, now, policy, window), 0
    if left < window.limit then wait = wait_for(state, now, policy, window, window.limit - left - 1) end
    if left < remaining then
      limit, remaining, replenish_after = window.limit, left, wait
    elseif left == remaining then
      if wait == 0 or replenish_after == 0 then replenish_after = 0 else replenish_after = max(replenish_after, wait) end
    end
  end
  if retry_after ~= 0 then limit = denying_window(state, now, policy, cost).limit end
  return remaining, replenish_after, empty_after(state, now, policy), limit
end

-- A sliding window whose denied requests stand in line: the window, and how long units wait.
local lined_window = lined(sliding_window, function(policy) return policy.span end)
algorithms.lsw = lined_window

-- Ticks until at most `need` units count, when nothing else is charged.
local function wait_for_ring(state, now, policy, need)
  local slot, limit, slots, strict = policy.slot, policy.limit, policy.slots, policy.strict
  local elapsed, full, turns = now - state[1] * slot, 0, 0
  for index = 1, slots do full = full + min(state[index + 1], limit) end
  local oldest = min(state[slots + 2], limit)
  while turns <= slots and full + (strict and oldest or 0) > need do
    oldest = turns < slots and min(state[slots + 1 - turns], limit) or 0
    full = full - oldest
    turns = turns + 1
  end
  local partial = 0
  if not strict and oldest > 0 then partial = slot - floor((need - full) * slot / oldest) end
  return max(0, turns * slot + max(partial, turns == 0 and elapsed or 0) - elapsed)
end

-- A log may have other ticks than the policy.
local function wait_for_log(stamps, now, policy, cost)
  if #stamps + cost <= policy.limit then return 0 end
  local log_now = in_log_ticks(now, policy)
  local after = stamps[#stamps + cost - policy.limit] + policy.window / policy.log_tick - log_now
  if after == 0 then return 0 end
  return ceil((log_now + after) * policy.log_tick / policy.tick) - now
end

function lined_window.wait(state, _, now, policy, cost)
  if state.stamps then return wait_for_log(state.stamps, now, policy, cost) end
  return wait_for_ring(state, now, policy, policy.limit - cost)
end

lined_window.in_lumps = true

-- At the full pace the rounding of slots would deny some of those that were told.
function lined_window.step(policy, cost)
  local share = floor(policy.limit / cost)
  if policy.keeps_log then return ceil(policy.span / share) end
  return ceil(policy.span * 20 / (19 * share))
end

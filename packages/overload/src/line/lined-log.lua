-- A log whose denied requests stand in line: the log, and how long units wait.
-- Policy: that of the log; then longest, keep, by, slice.
local lined_log = {}
for name, step in pairs(sliding_window_log) do lined_log[name] = step end
algorithms.lsl = lined_log

function lined_log.policy(numbers)
  local slice, by = table.remove(numbers), table.remove(numbers) == 1
  local keep, longest = table.remove(numbers), table.remove(numbers)
  local policy = sliding_window_log.policy(numbers)
  policy.line = { longest = longest, keep = keep, by = by, slice = slice, span = policy.window }
  policy.is_held = keep > 0
  return policy
end

-- The client looks at the entries that its place depends on, also in a peek.
lined_log.looks_ahead = true

function lined_log.wait(state, _, now, policy, cost)
  local beyond = entries(state) + cost - policy.limit
  if beyond <= 0 then return 0 end
  return entry_at(state, beyond - 1, now) + policy.window - now
end

function lined_log.step(policy, cost)
  return ceil(policy.line.span / floor(policy.limit / cost))
end

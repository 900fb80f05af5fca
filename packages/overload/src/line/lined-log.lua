-- A log whose denied requests stand in line: the log, and how long units wait.
local lined_log = lined(sliding_window_log, function(policy) return policy.window end)
algorithms.lsl = lined_log

-- The client looks at the entries that its place depends on, also in a peek.
lined_log.looks_ahead = true

function lined_log.wait(state, _, now, policy, cost)
  local beyond = entries(state) + cost - policy.limit
  if beyond <= 0 then return 0 end
  return entry_at(state, beyond - 1, now) + policy.window - now
end

lined_log.in_lumps = true

function lined_log.step(policy, cost)
  return ceil(policy.line.span / floor(policy.limit / cost))
end

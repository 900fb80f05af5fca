-- A limit in flight that callers share. The names of units have their caller: '|weight|caller'.
-- State, and stored as: those of a limit for which requests wait.
-- Policy: that of the limit in flight; then the caller and its weight.
local fair = {}
for name, step in pairs(waiting) do fair[name] = step end
algorithms.cf = fair

function fair.policy(numbers)
  local policy = waiting.policy(numbers)
  policy.caller, policy.weight = numbers[6], numbers[7]
  policy.own = ('|%.0f|%.0f'):format(policy.weight, policy.caller)
  return policy
end

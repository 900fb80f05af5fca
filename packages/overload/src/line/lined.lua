-- A limit whose denied requests stand in line: the limit, and what its policy has behind its other numbers: longest, keep, by,
-- slice. @param span_of the ticks in which all units of a policy come back
local function lined(plain, span_of)
  local algorithm = {}
  for name, step in pairs(plain) do algorithm[name] = step end
  function algorithm.policy(numbers)
    local slice, by = table.remove(numbers), table.remove(numbers) == 1
    local keep, longest = table.remove(numbers), table.remove(numbers)
    local policy = plain.policy(numbers)
    policy.line = { longest = longest, keep = keep, by = by, slice = slice, span = span_of(policy) }
    policy.is_held = keep > 0
    return policy
  end
  return algorithm
end

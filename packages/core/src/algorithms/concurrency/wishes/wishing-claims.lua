-- Remembers callers and processes that such tiers alone have denied. Another tier would deny them although units were left.
local consume_any_group = consume_group
local function consume_group(size)
  if consume_any_group(size) then return true end
  local fair = {}
  for claim = 1, size do
    if policies[claim].leaves_wishes and waits[claim] > 0 and not shadow[claim] then fair[#fair + 1], waits[claim] = claim, 0 end
  end
  if not are_admitted(size) then return false end
  for _, claim in ipairs(fair) do
    policies[claim].algorithm.deny(ones[claim], policies[claim].now, policies[claim], costs[claim], permits[claim])
    save_later(claim)
  end
  return false
end

-- Remembers callers that fair tiers alone have denied. Another tier would deny them although units were left.
local consume_any_group = consume_group
local function consume_group(size)
  local is_admitted, is_fair = consume_any_group(size), true
  for claim = 1, size do
    if waits[claim] ~= 0 and not shadow[claim] then is_fair = is_fair and policies[claim].is_fair and waits[claim] > 0 end
  end
  if is_admitted or not is_fair then return is_admitted end
  for claim = 1, size do
    if waits[claim] > 0 and not shadow[claim] then
      policies[claim].algorithm.deny(ones[claim], policies[claim].now, policies[claim], costs[claim])
      save_later(claim)
    end
  end
  return false
end

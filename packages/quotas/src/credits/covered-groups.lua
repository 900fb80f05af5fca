-- Decides groups with a balance. Behind its claim is a note: what it covers, for `covered` of covers.lua.
-- Units that the tier has which a balance covers, where the balance pays only the rest.
local function included_by(claim, covered)
  if not policies[claim].splits then return 0 end
  for other, places in ipairs(covered) do
    if places < 0 and covers(covered[claim], other) then
      local policy, cost = policies[other], costs[other]
      if shadow[other] or waits[other] == 0 or cost ~= costs[claim] then return 0 end
      local remaining = policy.algorithm.remaining(ones[other], twos[other], policy.now, policy)
      return remaining < cost and remaining or 0
    end
  end
  return 0
end

-- Whether a balance holds what it has to pay, and what the covered tier pays.
local function holds(claim, covered)
  local policy, included = policies[claim], included_by(claim, covered)
  local fits = waits[claim] == 0
  if included > 0 and not fits then
    fits = policy.algorithm.remaining(ones[claim]) >= costs[claim] - included
  end
  return fits, included
end

local function are_admitted(size)
  local fits, covered, included, is_denied = {}, {}, {}, false
  for claim = 1, size do
    local places = policies[claim].is_balance and tonumber(permits[claim]) or -1
    covered[claim], fits[claim] = places, waits[claim] == 0 or places < 0 and shadow[claim]
    is_denied = is_denied or places < 0 and not fits[claim]
  end
  for claim = 1, size do
    if is_denied and covered[claim] >= 0 then fits[claim], included[claim] = holds(claim, covered) end
  end
  local payer = is_denied and payer_of(fits, covered) or nil
  return not is_denied or payer ~= nil, payer, covered, payer and included[payer] or 0
end

-- Charges a claim a part of its cost.
local function settle_part(claim, part, fits)
  costs[claim] = part
  if fits then waits[claim] = 0 end
  charge(claim)
  save_later(claim)
end

local function consume_group(size)
  for claim = 1, size do read_and_wait(claim) end
  local is_admitted, payer, covered, included = are_admitted(size)
  for claim = 1, size do
    if included > 0 and claim == payer then
      settle_part(claim, costs[claim] - included, true)
    elseif included > 0 and covered[claim] < 0 and covers(covered[payer], claim) then
      settle_part(claim, included, false)
    else
      settle(claim, is_admitted and is_charged_by(payer, claim, covered))
    end
  end
  return is_admitted
end

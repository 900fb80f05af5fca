-- The shares of parties: the units that each `holds`, and what one leaves to others.
local PRESENT = 50

local function add_units(parts, kind, name, units)
  local id, weight = party_in(kind, name)
  if not id then return end
  local part = parts[id]
  if not part then parts[id] = { units = units, weight = weight }
  else part.units, part.weight = part.units + units, max(part.weight, weight) end
end

-- The units and the weight of each party that holds some.
local function holders_of(state, now, kind)
  state.holders = state.holders or {}
  if state.holders[kind] then return state.holders[kind] end
  state.units = state.units or call('ZRANGE', state.set, '(' .. now, '+inf', 'BYSCORE')
  local holders, counts = {}, {}
  -- The part of a name that says its party: few are different, and a pattern takes longer than a look-up.
  for _, unit in ipairs(state.units) do
    local part = kind == '|' and unit:match('|.*') or unit:sub(1, PROCESS_LENGTH)
    counts[part] = (counts[part] or 0) + 1
  end
  for part, units in pairs(counts) do add_units(holders, kind, part, units) end
  for _, unit in ipairs(state.added) do add_units(holders, kind, unit, 1) end
  state.holders[kind] = holders
  return holders
end

-- The wishes of other parties of a kind.
local function others_of(state, now, policy, party)
  local others = {}
  for _, wish in pairs(wishes_of(state, now, policy)) do
    local is_other = wish.kind == party.kind and wish.id ~= party.id
    if is_other and not wish.is_ahead and now - wish.since >= party.from then others[#others + 1] = wish end
  end
  return others
end

-- Tells which parties are below their shares with so many units more.
local function shares_of(state, now, policy, party, others)
  local holders, weight_of, weights = holders_of(state, now, party.kind), {}, 0
  local function add(id, weight)
    local known = weight_of[id] or 0
    if weight > known then weight_of[id], weights = weight, weights + weight - known end
  end
  for id, part in pairs(holders) do add(id, part.weight) end
  add(party.id, party.weight)
  for _, other in ipairs(others) do add(other.id, other.weight) end
  return function(id, units)
    local held = holders[id] and holders[id].units or 0
    return held == 0 or (held + units) * weights <= policy.limit * weight_of[id]
  end
end

-- Units that a party below its share leaves to older wishes: of those that ask often, and of the oldest other one that came back.
local function left_to_older(wishes, since, now, policy, party)
  local left, first = 0, nil
  for _, wish in ipairs(wishes) do
    local asked = wish.until_ - party.lasts
    if wish.since < since then
      if party.kind == '~' then left = left + wish.cost
      elseif wish.since < asked then
        if asked > now - floor(policy.retry / PRESENT) then left = left + wish.cost
        elseif not first or wish.since < first.since or (wish.since == first.since and wish.cost > first.cost) then first = wish end
      end
    end
  end
  return left + (first and first.cost or 0)
end

-- Whether a party may take units that fit.
local function may_take(state, now, policy, cost, party)
  local others = others_of(state, now, policy, party)
  if #others == 0 then return true end
  local is_below = shares_of(state, now, policy, party, others)
  local waits, left = {}, 0
  for _, other in ipairs(others) do
    if is_below(other.id, other.cost) then waits[#waits + 1], left = other, left + other.cost end
  end
  if is_below(party.id, cost) then
    left = left_to_older(waits, since_of(state, now, policy, party), now, policy, party)
  end
  return left == 0 or state.live + cost + left <= policy.limit
end

-- The shares of parties: the units that each `holds`, and what one leaves to others.
local PRESENT = 50

local function add_units(parts, kind, name, units)
  local party, weight = party_in(kind, name)
  if not party then return end
  local part = parts[party] or { units = 0, weight = 0 }
  part.units, part.weight = part.units + units, max(part.weight, weight)
  parts[party] = part
end

-- The units and the weight of each party that holds some.
local function holders_of(state, now, kind)
  state.holders = state.holders or {}
  if state.holders[kind] then return state.holders[kind] end
  local holders = {}
  for _, unit in ipairs(call('ZRANGE', state.set, '(' .. now, '+inf', 'BYSCORE')) do add_units(holders, kind, unit, 1) end
  for _, unit in ipairs(state.added) do add_units(holders, kind, unit, 1) end
  state.holders[kind] = holders
  return holders
end

-- The wishes of other parties of a kind.
local function others_of(state, now, policy, party)
  local others, own = {}, party_in(party.kind, party.name)
  for name, wish in pairs(wishes_of(state, now, policy)) do
    local is_other = name:sub(1, 1) == party.kind and party_in(party.kind, name) ~= own
    if is_other and not wish.is_ahead and now - wish.since >= party.from then
      others[#others + 1] = { name = name, party = party_in(party.kind, name), wish = wish }
    end
  end
  return others
end

-- Tells which parties are below their shares with so many units more.
local function shares_of(state, now, policy, party, others)
  local parts, weights = {}, 0
  for name, part in pairs(holders_of(state, now, party.kind)) do parts[name] = { units = part.units, weight = part.weight } end
  add_units(parts, party.kind, party.name, 0)
  for _, other in ipairs(others) do add_units(parts, party.kind, other.name, 0) end
  for _, part in pairs(parts) do weights = weights + part.weight end
  return function(name, units)
    local part = parts[name]
    return part.units == 0 or (part.units + units) * weights <= policy.limit * part.weight
  end
end

-- Units that a party below its share leaves to older wishes: of those that ask often, and of the oldest other one that came back.
local function left_to_older(others, since, now, policy, party)
  local left, first = 0, nil
  for _, other in ipairs(others) do
    local wish = other.wish
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
    if is_below(other.party, other.wish.cost) then
      waits[#waits + 1], left = other, left + other.wish.cost
    end
  end
  if is_below(party_in(party.kind, party.name), cost) then
    left = left_to_older(waits, since_of(state, now, policy, party), now, policy, party)
  end
  return left == 0 or state.live + cost + left <= policy.limit
end

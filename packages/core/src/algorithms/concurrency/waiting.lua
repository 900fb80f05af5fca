-- A concurrency limit for which requests wait: each process in which some do leaves a wish when it is denied, and others yield.
-- The names of units begin with their process, and end with '!' and the others that wait there: 0 none, 1 some, 2 of its caller.
-- State: that of the concurrency limit; the `wishes` of each party, which is a process ('~name') or a caller ('|weight|caller');
-- and the units that each party `holds`.
-- Stored as: the set of the concurrency limit; also 'party@since' of each wish, with -(until * 2^10 + cost).
-- Policy: that of the concurrency limit.
local COST_RANGE, WISH_LASTS, MOST_WISHES, MARK_LASTS, MARK_COUNTS_FROM = 1024, 2, 100, 1000, 250
local PROCESS_LENGTH, PRESENT = 8, 50
local waiting = {
  is_ahead = concurrency.is_ahead, remaining = concurrency.remaining, describe = concurrency.describe,
  fetch = concurrency.fetch,
}
algorithms.cw = waiting

function waiting.policy(numbers)
  local policy = concurrency.policy(numbers)
  policy.leaves_wishes = true
  return policy
end

-- Whom a claim is of: its caller, where callers share the limit, and the process in which it waits.
local function parties_of(policy, permit)
  local parties, others = {}, permit and permit:match('!(%d)')
  if policy.own then
    parties[1] = { kind = '|', name = policy.own, lasts = WISH_LASTS * policy.retry, from = 0, stays = others == '2' }
  end
  if others then
    local name = '~' .. permit:sub(1, PROCESS_LENGTH)
    parties[#parties + 1] = { kind = '~', name = name, lasts = MARK_LASTS, from = MARK_COUNTS_FROM, stays = others ~= '0' }
  end
  return parties
end

-- Which party of a kind the name of a unit or of a wish is of, and its weight.
local function party_in(kind, name)
  if kind == '|' then
    local weight, caller = name:match('|(%d+)|(%d+)')
    return caller, tonumber(weight)
  end
  local from = name:sub(1, 1) == '~' and 2 or 1
  return name:sub(from, from + PROCESS_LENGTH - 1), 1
end

-- The wishes that are not over. A clock that has stepped back has left some ahead, which do not count.
local function wishes_of(state, now, policy)
  if state.wishes then return state.wishes end
  state.wishes, state.changed_wishes = {}, {}
  local stored = call('ZRANGE', state.set, '-inf', -((now + 1) * COST_RANGE), 'BYSCORE', 'WITHSCORES')
  for place = 1, #stored, 2 do
    local party, since = stored[place]:match('^(.+)@(%d+)$')
    local number = -tonumber(stored[place + 1])
    local cost = number % COST_RANGE
    local until_ = (number - cost) / COST_RANGE
    if party then
      local lasts = party:sub(1, 1) == '~' and MARK_LASTS or WISH_LASTS * policy.retry
      local is_ahead = until_ > now + lasts
      state.wishes[party] = { since = tonumber(since), until_ = until_, cost = cost, stored = stored[place], is_ahead = is_ahead }
    end
  end
  return state.wishes
end

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

-- When the party was denied first, since it was below its share.
local function since_of(state, now, policy, party)
  local wish = wishes_of(state, now, policy)[party.name]
  return wish and not wish.is_ahead and min(wish.since, now) or now
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

function waiting.read(state, value, now, policy)
  local read = concurrency.read(state, value, now, policy)
  read.wishes, read.changed_wishes, read.holders = state.wishes, state.changed_wishes, state.holders
  return read
end

function waiting.wait(state, value, now, policy, cost, permit)
  local wait = concurrency.wait(state, value, now, policy, cost)
  if wait > 0 then return wait end
  for _, party in ipairs(parties_of(policy, permit)) do
    if not may_take(state, now, policy, cost, party) then return policy.retry end
  end
  return 0
end

local function change_wish(state, now, policy, party, since, cost)
  local wishes = wishes_of(state, now, policy)
  local known = wishes[party.name]
  if not since then
    if known then wishes[party.name], state.changed_wishes[party.name] = nil, known.stored or false end
    return
  end
  local changed = state.changed_wishes[party.name]
  local stored = known and known.stored or changed
  wishes[party.name] = { since = since, until_ = now + party.lasts, cost = min(cost, COST_RANGE - 1), stored = stored or nil }
  state.changed_wishes[party.name] = stored or false
end

function waiting.charge(state, value, now, policy, cost, permit)
  local before = #state.added
  concurrency.charge(state, value, now, policy, cost, permit)
  for kind, holders in pairs(state.holders or {}) do
    for place = before + 1, #state.added do add_units(holders, kind, state.added[place], 1) end
  end
  for _, party in ipairs(parties_of(policy, permit)) do
    if not party.stays then change_wish(state, now, policy, party)
    else
      local is_below = shares_of(state, now, policy, party, others_of(state, now, policy, party))
      -- Below its share it is served as one that waits since long.
      local is_owed = is_below(party_in(party.kind, party.name), 1)
      change_wish(state, now, policy, party, is_owed and since_of(state, now, policy, party) or now, 1)
    end
  end
  return state
end

-- Remembers that the parties of a claim wish so many units.
function waiting.deny(state, now, policy, cost, permit)
  for _, party in ipairs(parties_of(policy, permit)) do
    change_wish(state, now, policy, party, since_of(state, now, policy, party), cost)
  end
end

-- Beyond 100 wishes of a kind the one is forgotten that ends first.
local function forget_most(key, wishes, kind)
  local count, last, first = 0, nil, nil
  for name, wish in pairs(wishes) do
    if name:sub(1, 1) == kind then
      count = count + 1
      if not first or wish.until_ < first.until_ or (wish.until_ == first.until_ and name < last) then last, first = name, wish end
    end
  end
  if count <= MOST_WISHES then return end
  call('ZREM', key, last .. '@' .. ('%.0f'):format(first.since))
  wishes[last] = nil
end

local function save_wishes(key, state, policy)
  for name, stored in pairs(state.changed_wishes or {}) do
    local wish = state.wishes[name]
    local member = wish and name .. '@' .. ('%.0f'):format(wish.since)
    if stored and stored ~= member then call('ZREM', key, stored) end
    if wish then
      call('ZADD', key, -(wish.until_ * COST_RANGE + wish.cost), member)
      forget_most(key, state.wishes, name:sub(1, 1))
    end
  end
  call('ZREMRANGEBYSCORE', key, '(' .. ('%.0f'):format(-((policy.now + 1) * COST_RANGE)), '(0')
  if state.live == 0 then call('PEXPIREAT', key, policy.now + policy.hold) end
end

function waiting.save(key, state, value, _, _, policy)
  if next(state.changed_wishes or {}) then save_wishes(key, state, policy) end
  if #state.added == 0 and not state.is_redated then return end
  -- Wishes are below 0.
  call('ZREMRANGEBYSCORE', key, 0, policy.now)
  concurrency.save(key, { added = {}, is_redated = state.is_redated }, nil, nil, nil, policy)
  hold_units(key, state.added, policy.now + policy.hold)
end

-- Without wishes, which only this twin needs.
function waiting.state_of(state)
  return { 'permits', call('ZRANGE', state.set, 0, '+inf', 'BYSCORE', 'WITHSCORES') }
end

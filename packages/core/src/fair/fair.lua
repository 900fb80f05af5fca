-- A concurrency limit that callers share. The names of units end with their caller: '|weight|caller'.
-- State: that of the concurrency limit; of each `wish` the cost, by such an end; and how many units each caller `holds`.
-- Stored as: the set of the concurrency limit; also the end of each caller that was denied recently, with -(until * 2^10 + cost).
-- Policy: that of the concurrency limit; then the caller and its weight.
local COST_RANGE, WISH_LASTS, MOST_WISHES = 1024, 2, 100
local fair = {
  is_ahead = concurrency.is_ahead, remaining = concurrency.remaining, describe = concurrency.describe,
  fetch = concurrency.fetch,
}
algorithms.cf = fair

function fair.policy(numbers)
  local policy = concurrency.policy(numbers)
  policy.caller, policy.weight, policy.is_fair = numbers[6], numbers[7], true
  policy.own = ('|%.0f|%.0f'):format(policy.weight, policy.caller)
  return policy
end

local function caller_in(name)
  local weight, caller = name:match('|(%d+)|(%d+)')
  return caller, tonumber(weight)
end

-- The wishes that count now. A clock that has stepped back has left others ahead.
local function wishes_of(state, now, policy)
  if state.wishes then return state.wishes end
  state.wishes, state.changed_wishes = {}, {}
  local from = -((now + WISH_LASTS * policy.retry) * COST_RANGE + COST_RANGE - 1)
  local stored = call('ZRANGE', state.set, from, -((now + 1) * COST_RANGE), 'BYSCORE', 'WITHSCORES')
  for place = 1, #stored, 2 do state.wishes[stored[place]] = -tonumber(stored[place + 1]) % COST_RANGE end
  return state.wishes
end

local function add_units(parts, name, units)
  local caller, weight = caller_in(name)
  if not caller then return end
  local part = parts[caller] or { units = 0, weight = 0 }
  part.units, part.weight = part.units + units, max(part.weight, weight)
  parts[caller] = part
end

-- The units and the weight of each caller that holds some.
local function holders_of(state, now)
  if state.holders then return state.holders end
  state.holders = {}
  for _, unit in ipairs(call('ZRANGE', state.set, '(' .. now, '+inf', 'BYSCORE')) do add_units(state.holders, unit, 1) end
  for _, unit in ipairs(state.added) do add_units(state.holders, unit, 1) end
  return state.holders
end

-- Whether a caller may take units that fit: within its share, or as far as no other caller below its share waits for them.
local function has_share(state, now, policy, cost)
  local wishes, others = wishes_of(state, now, policy), {}
  local own = caller_in(policy.own)
  for wish in pairs(wishes) do
    if caller_in(wish) ~= own then others[#others + 1] = wish end
  end
  if #others == 0 then return true end
  local parts, weights = {}, 0
  for caller, part in pairs(holders_of(state, now)) do parts[caller] = { units = part.units, weight = part.weight } end
  add_units(parts, policy.own, 0)
  for _, wish in ipairs(others) do add_units(parts, wish, 0) end
  for _, part in pairs(parts) do weights = weights + part.weight end
  local function is_below(caller, units)
    local part = parts[caller]
    return part.units == 0 or (part.units + units) * weights <= policy.limit * part.weight
  end
  if is_below(own, cost) then return true end
  local reserved = 0
  for _, wish in ipairs(others) do
    if is_below(caller_in(wish), wishes[wish]) then reserved = reserved + wishes[wish] end
  end
  return state.live + cost + reserved <= policy.limit
end

function fair.read(state, value, now, policy)
  local read = concurrency.read(state, value, now, policy)
  read.wishes, read.changed_wishes, read.holders = state.wishes, state.changed_wishes, state.holders
  return read
end

function fair.wait(state, value, now, policy, cost)
  local wait = concurrency.wait(state, value, now, policy, cost)
  if wait == 0 and not has_share(state, now, policy, cost) then return policy.retry end
  return wait
end

local function change_wish(state, now, policy, cost)
  local wishes = wishes_of(state, now, policy)
  if cost == nil and wishes[policy.own] == nil then return end
  wishes[policy.own], state.changed_wishes[policy.own] = cost, cost or 0
end

function fair.charge(state, value, now, policy, cost, permit)
  local before = #state.added
  concurrency.charge(state, value, now, policy, cost, permit)
  if state.holders then
    for place = before + 1, #state.added do add_units(state.holders, state.added[place], 1) end
  end
  change_wish(state, now, policy)
  return state
end

-- Remembers that the caller wishes so many units.
function fair.deny(state, now, policy, cost)
  change_wish(state, now, policy, cost)
end

local function save_wish(key, wish, cost, policy)
  if cost == 0 then return call('ZREM', key, wish) end
  call('ZADD', key, -((policy.now + WISH_LASTS * policy.retry) * COST_RANGE + cost), wish)
  -- The oldest are the last below 0.
  call('ZREMRANGEBYSCORE', key, '(' .. ('%.0f'):format(-((policy.now + 1) * COST_RANGE)), '(0')
  local beyond = call('ZRANGE', key, MOST_WISHES, MOST_WISHES, 'WITHSCORES')[2]
  if beyond and tonumber(beyond) < 0 then call('ZREMRANGEBYSCORE', key, beyond, '(0') end
end

function fair.save(key, state, value, _, _, policy)
  for wish, cost in pairs(state.changed_wishes or {}) do save_wish(key, wish, cost, policy) end
  if #state.added == 0 and not state.is_redated then return end
  -- Wishes are below 0.
  call('ZREMRANGEBYSCORE', key, 0, policy.now)
  concurrency.save(key, { added = {}, is_redated = state.is_redated }, nil, nil, nil, policy)
  hold_units(key, state.added, policy.now + policy.hold)
end

-- Without wishes, which only this twin needs.
function fair.state_of(state)
  return { 'permits', call('ZRANGE', state.set, 0, '+inf', 'BYSCORE', 'WITHSCORES') }
end

-- A concurrency limit for which requests wait: each process in which some do leaves a wish when it is denied, and others yield.
-- State: that of the concurrency limit; the `wishes` of each party, and the units that each party `holds`.
-- Stored as: the set of the concurrency limit, with wishes.
-- Policy: that of the concurrency limit.
local waiting = {
  is_ahead = concurrency.is_ahead, remaining = concurrency.remaining, fetch = concurrency.fetch,
}
algorithms.cw = waiting
-- Requests that do not wait take units of the same set, and their names name no process: they leave no wish, and keep those
-- that the call has changed.
algorithms.cc = waiting

function waiting.policy(numbers)
  local policy = concurrency.policy(numbers)
  policy.leaves_wishes = true
  return policy
end

function waiting.read(state, value, now, policy)
  local read = concurrency.read(state, value, now, policy)
  read.wishes, read.changed_wishes, read.units, read.holders = state.wishes, state.changed_wishes, state.units, state.holders
  return read
end

function waiting.fits(state, value, now, policy, cost, permit)
  if not concurrency.fits(state, value, now, policy, cost) then return false end
  for _, party in ipairs(parties_of(policy, permit)) do
    if not may_take(state, now, policy, cost, party) then return false end
  end
  return true
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
      local is_owed = is_below(party.id, 1)
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

function waiting.save(key, state, value, _, _, policy)
  if next(state.changed_wishes or {}) then save_wishes(key, state, policy) end
  if #state.added > 0 or state.is_redated then concurrency.save(key, state, nil, nil, nil, policy) end
end

-- Without wishes, which only this twin needs.
function waiting.state_of(state)
  return { 'permits', call('ZRANGE', state.set, 0, '+inf', 'BYSCORE', 'WITHSCORES') }
end

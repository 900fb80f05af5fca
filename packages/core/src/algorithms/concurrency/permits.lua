-- State: how many units are `live`, and the time until which the `latest` counts; the units that this call has `added`, and
-- whether it has dated others back.
-- Stored as: a sorted set of units, each with the millisecond until which it counts.
-- Policy: limit, hold, retry.
local concurrency = {}
algorithms.cc = concurrency

-- ZADD takes two arguments a unit, and Lua passes at most 8 000.
local UNITS_PER_COMMAND = 1000

-- Returns how many of the units are new.
local function hold_units(key, units, until_)
  local added = 0
  for done = 0, #units - 1, UNITS_PER_COMMAND do
    local chunk = {}
    for index = 1, min(UNITS_PER_COMMAND, #units - done) do
      chunk[2 * index - 1], chunk[2 * index] = until_, units[done + index]
    end
    added = added + call('ZADD', key, unpack(chunk))
  end
  return added
end

function concurrency.policy(numbers)
  return { limit = numbers[3], hold = numbers[4], retry = numbers[5], is_held = true }
end

function concurrency.is_ahead(state, _, now, policy)
  return state.latest > now + policy.hold
end

function concurrency.read(state, _, now, policy)
  if not concurrency.is_ahead(state, nil, now, policy) then return state end
  return { set = state.set, live = state.live, latest = now + policy.hold, added = state.added, is_redated = true }
end

function concurrency.fits(state, _, _, policy, cost)
  return state.live + cost <= policy.limit
end

function concurrency.remaining(state, _, _, policy)
  return max(0, policy.limit - state.live)
end

function concurrency.charge(state, _, now, policy, cost, permit)
  for number = cost, 1, -1 do
    state.added[#state.added + 1] = number == 1 and permit or permit .. '.' .. number
  end
  state.live, state.latest = state.live + cost, now + policy.hold
  return state
end

function concurrency.renew(key, stored, now, policy, units)
  local state = concurrency.read(stored, nil, now, policy)
  if state.is_redated then concurrency.save(key, state, nil, nil, nil, policy) end
  local lapsed = hold_units(key, units, now + policy.hold)
  call('PEXPIREAT', key, now + policy.hold)
  return lapsed
end

function concurrency.fetch(key, now)
  local last = pcall('ZRANGE', key, -1, -1, 'WITHSCORES')
  if last.err then return nil, nil, last.err end
  local latest = last[2] and tonumber(last[2]) or 0
  local live = latest > now and call('ZCOUNT', key, '(' .. now, '+inf') or 0
  return { set = key, counted = live, live = live, latest = latest, added = {} }
end

function concurrency.save(key, state, _, _, _, policy)
  local now, latest = policy.now, policy.now + policy.hold
  if state.is_redated then hold_units(key, call('ZRANGE', key, '(' .. latest, '+inf', 'BYSCORE'), latest) end
  if #state.added > 0 then
    -- Wishes are below 0: requests that wait leave them in the same set.
    call('ZREMRANGEBYSCORE', key, 0, now)
    hold_units(key, state.added, latest)
  end
  call('PEXPIREAT', key, latest)
end

-- A bucket of a fixed size whose limit moves.
-- State: { full_at, at, units }: units that were spent at a time, and when the last of them is refilled.
-- Stored as: 'full_at:at:units'.
-- Policy: that of the token bucket; queued.
local moving_bucket = {}

local function moving_debt(state, now)
  return max(0, state[1] - now)
end

local function units_at(state, now)
  if state[1] <= now then return 0 end
  return state[3] * ((state[1] - now) / (state[1] - state[2]))
end

-- How long before it is full so many units are spent.
local function ticks_of(state, units)
  return floor((units / state[3]) * (state[1] - state[2]))
end

local function refill_time(units, policy)
  return ceil(units * policy.quotient + (units * policy.remainder) / policy.limit)
end

-- Returns the state without units of a receipt, and how many were given back.
local function give_back(state, now, policy, units, until_)
  local ticks, time = moving_debt(state, now), refill_time(units, policy)
  local back = min(time, max(0, until_ - now), ticks)
  if back == 0 then return state, 0 end
  local spent = units_at(state, now)
  local given = min(spent, units * (back / time))
  local left = spent - given
  -- A queue lets the next request out when the last one would have left. Else the others refill as fast as before.
  local rest = policy.queued and ticks - back or ceil(ticks * (left / spent))
  if rest > 0 and left > 0 then return { now + rest, now, left }, ceil(given) end
  return { now, now, 0 }, ceil(given)
end

-- By its own time: an arrival time that is far ahead may be the debt of a lower limit.
function moving_bucket.is_ahead(stored, _, now)
  return stored[2] > now
end

function moving_bucket.read(stored, _, now)
  if not stored then return { 0, 0, 0 } end
  if stored[2] > now then return { stored[1] - stored[2] + now, now, stored[3] } end
  return stored
end

function moving_bucket.fits(state, _, now, policy, cost)
  local ticks = moving_debt(state, now)
  return ticks == 0 or ticks <= ticks_of(state, policy.capacity - cost)
end

function moving_bucket.remaining(state, _, now, policy)
  local ticks, capacity = moving_debt(state, now), policy.capacity
  if ticks == 0 then return capacity end
  local units = max(0, floor(capacity - units_at(state, now)))
  while units > 0 and ticks > ticks_of(state, capacity - units) do units = units - 1 end
  while units < capacity and ticks <= ticks_of(state, capacity - units - 1) do units = units + 1 end
  return units
end

function moving_bucket.charge(state, _, now, policy, cost)
  local units = min(cost, moving_bucket.remaining(state, nil, now, policy))
  if units == 0 then return state end
  return { now + moving_debt(state, now) + refill_time(units, policy), now, units_at(state, now) + units }
end

function moving_bucket.refund(stored, _, now, policy, units, at, until_, undone)
  if policy.queued and stored[1] ~= until_ then return stored, nil, 0 end
  -- Nothing was charged since, so the units before it leave as they would have.
  if undone and stored[1] == until_ and stored[2] == at then
    local left = stored[3] - units
    -- The times of several charges are rounded up, so that a tick can stay that no unit owes.
    return left > 0 and { stored[1] - refill_time(units, policy), at, left } or { at, at, 0 }, nil, units
  end
  local state, given = give_back(moving_bucket.read(stored, nil, now), now, policy, units, until_)
  return state, nil, given
end

function moving_bucket.fetch(key)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local full_at, at, units = text:match('^(%d+):(%d+):([%d.e+-]+)$')
  if not tonumber(units) then return nil, nil, 'SLUICE_UNREADABLE' end
  return { tonumber(full_at), tonumber(at), tonumber(units) }
end

function moving_bucket.save(key, state)
  call('SET', key, ('%.0f:%.0f:%.17g'):format(state[1], state[2], state[3]), 'PXAT', ceil(state[1] / 1000))
end

-- State: ticks, rest: the theoretical arrival time (TAT) in microseconds, and a rest in parts of 1 / limit.
-- Stored as: one integer without a rest, moved by INCRBY; else 'ticks:rest'.
-- Policy: capacity, limit, quotient (window div limit), remainder (window mod limit), overdraft; -1: its limit moves.
local token_bucket = {}
algorithms.tb = token_bucket

local function time_of(units, policy)
  local parts = units * policy.remainder
  local carry = floor(parts / policy.limit)
  return units * policy.quotient + carry, parts - carry * policy.limit
end

local function subtract(ticks, rest, other_ticks, other_rest, limit)
  rest = rest - other_rest
  if rest < 0 then return ticks - other_ticks - 1, rest + limit end
  return ticks - other_ticks, rest
end

local function is_later(ticks, rest, other_ticks, other_rest)
  return ticks > other_ticks or (ticks == other_ticks and rest > other_rest)
end

local function earlier(ticks, rest, other_ticks, other_rest)
  if is_later(ticks, rest, other_ticks, other_rest) then return other_ticks, other_rest end
  return ticks, rest
end

-- Below, a time is ticks and any number of parts.

local function fits(units, ticks, parts, policy)
  return ticks - units * policy.quotient + floor((parts - units * policy.remainder) / policy.limit) >= 0
end

local function units_in(ticks, parts, policy)
  local estimate = floor((ticks + parts / policy.limit) / policy.interval)
  local units = max(0, min(policy.capacity, estimate))
  while units > 0 and not fits(units, ticks, parts, policy) do units = units - 1 end
  while units < policy.capacity and fits(units + 1, ticks, parts, policy) do units = units + 1 end
  return units
end

local function units_begun(ticks, rest, policy)
  local units = units_in(ticks, rest, policy)
  local time, part = time_of(units, policy)
  if is_later(ticks, rest, time, part) then return units + 1 end
  return units
end

-- A rest that was stored under another limit counts other parts.
local function in_parts(ticks, rest, limit)
  if rest < limit then return ticks, rest end
  return ticks + 1, 0
end

-- What is spent and not yet refilled.
local function debt(ticks, rest, now)
  if ticks < now then return 0, 0 end
  return ticks - now, rest
end

function token_bucket.policy(numbers)
  local policy = { capacity = numbers[2], limit = numbers[3], quotient = numbers[4], remainder = numbers[5] }
  policy.interval = policy.quotient + policy.remainder / policy.limit
  policy.grain = grain_of(policy.limit, policy.quotient, policy.remainder)
  policy.tolerance, policy.tolerance_rest = time_of(policy.capacity, policy)
  policy.most_debt, policy.most_debt_rest = time_of(policy.capacity + numbers[6], policy)
  if numbers[6] == -1 then policy.algorithm = moving_bucket end
  return policy
end

function token_bucket.is_ahead(ticks, rest, now, policy)
  return is_later(ticks, rest, now + policy.most_debt, policy.most_debt_rest)
end

function token_bucket.read(ticks, rest, now, policy)
  if not ticks then return 0, 0 end
  ticks, rest = in_parts(ticks, rest, policy.limit)
  if token_bucket.is_ahead(ticks, rest, now, policy) then return now + policy.most_debt, policy.most_debt_rest end
  return ticks, rest
end

function token_bucket.fits(ticks, rest, now, policy, cost)
  ticks, rest = debt(ticks, rest, now)
  local parts = rest + cost * policy.remainder - policy.tolerance_rest
  return ticks + cost * policy.quotient - policy.tolerance + ceil(parts / policy.limit) <= 0
end

function token_bucket.remaining(ticks, rest, now, policy)
  ticks, rest = debt(ticks, rest, now)
  return units_in(policy.tolerance - ticks, policy.tolerance_rest - rest, policy)
end

function token_bucket.charge(tat, tat_rest, now, policy, cost)
  local ticks, rest = debt(tat, tat_rest, now)
  local parts = rest + cost * policy.remainder
  local carry = floor(parts / policy.limit)
  ticks, rest = ticks + cost * policy.quotient + carry, parts - carry * policy.limit
  if is_later(ticks, rest, policy.tolerance, policy.tolerance_rest) then
    -- Whole units, because an undo gives back whole units. What is overdrawn stays owed.
    local units = token_bucket.remaining(tat, tat_rest, now, policy)
    if units == 0 then return tat, tat_rest end
    return token_bucket.charge(tat, tat_rest, now, policy, units)
  end
  return now + ticks, rest
end

function token_bucket.refund(ticks, rest, now, policy, units, _, until_)
  ticks, rest = in_parts(ticks, rest, policy.limit)
  local back, back_rest = time_of(units, policy)
  back, back_rest = earlier(back, back_rest, max(0, until_ - now), 0)
  back, back_rest = earlier(back, back_rest, debt(ticks, rest, now))
  ticks, rest = subtract(ticks, rest, back, back_rest, policy.limit)
  return ticks, rest, units_begun(back, back_rest, policy)
end

function token_bucket.fetch(key)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local ticks = integer(text)
  if ticks then return ticks, 0 end
  local left, right = text:match('^(%d+):(%d+)$')
  if not left then return nil, nil, 'SLUICE_UNREADABLE' end
  return tonumber(left), tonumber(right)
end

function token_bucket.save(key, ticks, rest, stored_ticks, stored_rest, policy)
  local expires = expiry_of(ticks, policy)
  if rest > 0 then return call('SET', key, ('%.0f:%.0f'):format(ticks, rest), 'PXAT', expires) end
  if stored_rest ~= 0 then return call('SET', key, ticks, 'PXAT', expires) end
  call('INCRBY', key, ticks - stored_ticks)
  extend_life(key, stored_ticks, ticks, policy)
end

-- State: a log or a ring of slots. A limit of at most 64 charges a log, a larger one a ring. Each reads the form that it
-- finds: to a log's limit a ring is a strict one, to a ring's limit a log is as exact as ever.
-- Policy: limit, slot, slots, ring, strict, span; keeps_log, log_tick, window.
local sliding_window = {}
algorithms.sw = sliding_window

function sliding_window.policy(numbers)
  local tick, slot, slots = numbers[1], numbers[4], numbers[5]
  return {
    limit = numbers[3], slot = slot, slots = slots, ring = slots + 1, strict = numbers[6] == 1,
    log_tick = numbers[7], keeps_log = numbers[8] == 1, span = slot * slots, window = slot * slots * tick,
  }
end

-- A time in ticks of the policy as one in ticks of a log.
local function in_log_ticks(time, policy)
  return floor(time * policy.tick / policy.log_tick)
end

-- The ring does not know when in its slot a unit was charged, so each gets the last moment of its slot.
local function to_log(ring, now, policy)
  local stamps = {}
  for age = policy.ring - 1, 0, -1 do
    local stamp = min(now, ceil((ring[1] - age + 1) * policy.slot) - 1)
    for _ = 1, ring[age + 2] do stamps[#stamps + 1] = stamp end
  end
  return { stamps = stamps }
end

local function to_ring(log, now, policy)
  local newest = floor(now / policy.slot)
  local counts = { newest }
  for index = 1, policy.ring do counts[index + 1] = 0 end
  for _, stamp in ipairs(log.stamps) do
    local age = newest - floor(stamp * policy.log_tick / (policy.slot * policy.tick))
    counts[age + 2] = counts[age + 2] + 1
  end
  return counts
end

local function log_at(stored, now, policy)
  return read_log(stored, in_log_ticks(now, policy), policy.window / policy.log_tick)
end

function sliding_window.is_ahead(stored, value, now, policy)
  if stored.stamps then return is_log_ahead(stored, in_log_ticks(now, policy)) end
  return is_ring_ahead(stored, value, now, policy)
end

function sliding_window.read(stored, value, now, policy)
  if stored and stored.stamps then return log_at(stored, now, policy) end
  if not stored and policy.keeps_log then return { stamps = {} } end
  return read_ring(stored, value, now, policy)
end

function sliding_window.fits(state, _, now, policy, cost)
  if state.stamps then return #state.stamps + cost <= policy.limit end
  return used(state, now, policy, policy) + cost <= policy.limit
end

function sliding_window.remaining(state, _, now, policy)
  if state.stamps then return remaining_in_log(state, policy) end
  return max(0, policy.limit - used(state, now, policy, policy))
end

-- Only a charged unit changes the form: a denial forgets none, and its answer stays true.
function sliding_window.charge(state, value, now, policy, cost)
  local units = min(cost, sliding_window.remaining(state, value, now, policy))
  if units == 0 then return state, value end
  if policy.keeps_log then
    return charge_log(state.stamps and state or log_at(to_log(state, now, policy), now, policy), now, policy, units)
  end
  if state.stamps then state, value = to_ring(state, now, policy), nil end
  return charge_ring(state, value, units)
end

-- In the form of the stored state, which can be another than that of the receipt.
function sliding_window.refund(stored, value, now, policy, units, at)
  if not stored.stamps then return refund_ring(stored, value, now, policy, units, at) end
  local log, given = refund_log(log_at(stored, now, policy), units, in_log_ticks(at, policy))
  return log, nil, given
end

function sliding_window.fetch(key, now, policy)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local log = parse_log(text, in_log_ticks(now, policy))
  if log then return log end
  return parse_ring(text, now, policy)
end

function sliding_window.save(key, state, value, _, _, policy)
  if state.stamps then return save_log(key, state, policy) end
  return save_ring(key, state, value, nil, nil, policy)
end

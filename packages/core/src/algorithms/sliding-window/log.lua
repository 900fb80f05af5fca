-- A log: state.stamps holds the time of each unit, oldest first.
-- Policy: limit, span.

local function is_log_ahead(stored, now)
  local stamps = stored.stamps
  return #stamps > 0 and stamps[#stamps] > now
end

-- Stamps that are still to come become stamps of now, and those that are a window old are dropped.
local function read_log(stored, now, span)
  local stamps = {}
  for _, stamp in ipairs(stored.stamps) do
    if stamp > now - span then stamps[#stamps + 1] = min(stamp, now) end
  end
  return { stamps = stamps }
end

local function remaining_in_log(state, policy)
  return max(0, policy.limit - #state.stamps)
end

-- A charged log is saved, so nothing needs the log from before.
local function charge_log(state, now, policy, cost)
  for _ = 1, min(cost, remaining_in_log(state, policy)) do state.stamps[#state.stamps + 1] = now end
  return state
end

local function refund_log(state, units, at)
  local stamps, given = {}, 0
  for _, stamp in ipairs(state.stamps) do
    if stamp == at and given < units then given = given + 1 else stamps[#stamps + 1] = stamp end
  end
  return { stamps = stamps }, given
end

-- Nothing for a text that is not a log.
local function parse_log(text, now)
  local size, stamps = log_size(text), {}
  for index = 1, size or 0 do stamps[index] = now - age_of(text, index, now) end
  return size and { stamps = stamps }
end

local function save_log(key, state, policy)
  local texts, last = { 'l' }, state.stamps[#state.stamps]
  -- Without an entry the budget is full, as without a key.
  if not last then return call('UNLINK', key) end
  for index, stamp in ipairs(state.stamps) do texts[index + 1] = pack_stamp(stamp) end
  return call('SET', key, table.concat(texts), 'PXAT', ceil((last * policy.log_tick + policy.window) / 1000))
end

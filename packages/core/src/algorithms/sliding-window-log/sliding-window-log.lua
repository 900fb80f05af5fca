-- State: of the list under `key`, `live` entries from index `first` on count, and `added` more of this moment that are not
-- yet in it; `known` caches entries of the list by index. The second value is the time at which the state was read.
-- Stored as: a list of microseconds, one a unit, oldest first.
-- Policy: limit, window.
local sliding_window_log = {}
algorithms.sl = sliding_window_log

function sliding_window_log.policy(numbers)
  return { limit = numbers[3], window = numbers[4] }
end

-- The entry at an index among those that count. Entries of this moment follow those of the list.
local function entry_at(state, index, now)
  if index >= state.live then return now end
  local place, known = state.first + index, state.known
  known[place] = known[place] or tonumber(call('LINDEX', state.key, place)) or 0
  return known[place]
end

local function entries(state)
  return state.live + state.added
end

function sliding_window_log.is_ahead(stored, _, now)
  return entries(stored) > 0 and entry_at(stored, entries(stored) - 1, now) > now
end

local function expired(state, edge, now)
  local above, size = 1, entries(state)
  while above <= size and entry_at(state, above - 1, now) <= edge do above = above * 2 end
  local low, high = floor(above / 2), min(above - 1, size)
  while low < high do
    local middle = floor((low + high + 1) / 2)
    if entry_at(state, middle - 1, now) <= edge then low = middle else high = middle - 1 end
  end
  return low
end

-- The client asks for the entries that the steps look at: of the list, those that matter to a denial and to the next unit.
function sliding_window_log.read(stored, read_at, now, policy)
  local state, count = stored, stored.live
  if read_at ~= now then
    if not sliding_window_log.is_ahead(stored, nil, now) then count = expired(stored, now - policy.window, now) end
    state = { key = stored.key, known = stored.known, first = stored.first + count, live = stored.live - count, added = 0 }
  end
  entry_at(state, max(0, entries(state) - policy.limit), now)
  return state, now
end

function sliding_window_log.fits(state, _, now, policy, cost)
  local beyond = entries(state) + cost - policy.limit
  if beyond > 0 then entry_at(state, beyond - 1, now) end
  return beyond <= 0
end

function sliding_window_log.remaining(state, _, _, policy)
  return max(0, policy.limit - entries(state))
end

-- A charged log is saved, so nothing needs the log from before.
function sliding_window_log.charge(state, read_at, now, policy, cost)
  state.added = state.added + min(cost, sliding_window_log.remaining(state, read_at, now, policy))
  return state, read_at
end

-- A refund changes the list itself, because the entries of a stamp may be anywhere among those of their time.
function sliding_window_log.refund(stored, read_at, now, policy, units, stamp)
  local state = sliding_window_log.read(stored, read_at, now, policy)
  -- LREM takes a count of 0 for all.
  if units == 0 or state.live == 0 or stamp <= now - policy.window then return state, now, 0 end
  return state, now, call('LREM', state.key, -units, stamp)
end

function sliding_window_log.fetch(key)
  local live = pcall('LLEN', key)
  if type(live) == 'table' then return nil, nil, live.err end
  local known = {}
  if live > 0 then
    known[0], known[live - 1] = integer(call('LINDEX', key, 0)), integer(call('LINDEX', key, -1))
    if not (known[0] and known[live - 1]) then return nil, nil, 'SLUICE_UNREADABLE' end
  end
  return { key = key, known = known, first = 0, live = live, added = 0 }, nil
end

function sliding_window_log.save(key, state, now, _, _, policy)
  if state.first > 0 then call('LPOP', key, state.first) end
  for done = 0, state.added - 1, 1000 do
    local chunk = {}
    for index = 1, min(1000, state.added - done) do chunk[index] = now end
    call('RPUSH', key, unpack(chunk))
  end
  if state.added > 0 then call('PEXPIREAT', key, ceil((now + policy.window) / 1000)) end
end

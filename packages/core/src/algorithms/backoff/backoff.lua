-- State: when the latest strike was added, and how many there are.
-- Stored as: an integer, last * 2^10 + count.
-- Policy: limit, span, lock_at (0: never), forgives_all, delays.
local STRIKE_RANGE, MAX_STRIKES, FIRST_DELAY = 1024, 1000, 7
local backoff = {}
algorithms.bo = backoff

local function pack_strikes(last, count)
  return last * STRIKE_RANGE + count
end

-- Without strikes there is no latest one.
local function last_of(last, count)
  return count == 0 and 0 or last
end

local function block_of(count, policy)
  if count <= policy.limit then return 0 end
  if policy.lock_at > 0 and count >= policy.lock_at then return policy.span end
  return policy.delays[min(count - policy.limit, #policy.delays)]
end

function backoff.policy(numbers)
  local delays = { unpack(numbers, FIRST_DELAY) }
  return { limit = numbers[3], span = numbers[4], lock_at = numbers[5], forgives_all = numbers[6] == 1, delays = delays }
end

function backoff.is_ahead(last, _, now)
  return last > now
end

function backoff.read(last, count, now, policy)
  if not last then return 0, 0 end
  if last > now then return now, count end
  if now - last >= policy.span then return 0, 0 end
  return last, count
end

function backoff.fits(last, count, now, policy)
  return count == 0 or last + block_of(count, policy) <= now
end

function backoff.remaining(_, count, _, policy)
  return max(0, policy.limit - count)
end

function backoff.charge(last, count, now, policy, cost)
  if not backoff.fits(last, count, now, policy) then return last, count end
  return now, min(MAX_STRIKES, count + cost)
end

-- Takes back the strikes of a request alone. Unless another one has struck since, the time of those before it is restored.
local function undo(last, count, units, at, before)
  local count_before = before % STRIKE_RANGE
  local given = min(units, count, MAX_STRIKES - count_before)
  if last == at and count - given == count_before then last = floor(before / STRIKE_RANGE) end
  return last_of(last, count - given), count - given, given
end

function backoff.refund(stored_last, stored_count, now, policy, units, at, _, undone, before)
  local last, count = backoff.read(stored_last, stored_count, now, policy)
  if undone then return undo(last, count, units, at, before) end
  local given = policy.forgives_all and units > 0 and count or min(units, count)
  return last_of(last, count - given), count - given, given
end

function backoff.fetch(key)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local packed = integer(text)
  if not packed then return nil, nil, 'SLUICE_UNREADABLE' end
  local count = packed % STRIKE_RANGE
  return (packed - count) / STRIKE_RANGE, count
end

function backoff.save(key, last, count, _, _, policy)
  if count == 0 then return call('UNLINK', key) end
  call('SET', key, pack_strikes(last, count), 'PXAT', last + policy.span)
end

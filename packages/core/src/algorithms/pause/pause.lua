-- State: when the pause is over; the second value is 0.
-- Stored as: an integer.
-- Policy: the longest pause.
local pause = {}
algorithms.pz = pause

function pause.policy(numbers)
  return { longest = numbers[2], is_unspent = true }
end

function pause.is_ahead(until_, _, now, policy)
  return until_ > now + policy.longest
end

function pause.read(until_, _, now, policy)
  if not until_ then return 0, 0 end
  if pause.is_ahead(until_, nil, now, policy) then return now + policy.longest, 0 end
  return until_, 0
end

function pause.fits(until_, _, now)
  return until_ <= now
end

function pause.remaining(until_, _, now)
  return until_ > now and 0 or 1
end

function pause.charge(until_, _, now, _, milliseconds)
  return max(until_, now + milliseconds), 0
end

function pause.refund(stored_until, _, _, _, units, _, until_, undone)
  if undone and stored_until == until_ then return 0, 0, units end
  return stored_until, 0, 0
end

function pause.fetch(key)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local until_ = integer(text)
  if not until_ then return nil, nil, 'SLUICE_UNREADABLE' end
  return until_, 0
end

function pause.save(key, until_)
  if until_ == 0 then return call('UNLINK', key) end
  call('SET', key, until_, 'PXAT', until_)
end

-- State: left, hour: the units, and the hour since 1970 in which those that have changed were charged.
-- Stored as: a hash. `left`: the units; `s` and an hour: what was spent in it, less what was refunded; `i` and the digest of an
-- id: when its credit was counted, in milliseconds, and its units. It expires only without units.
-- Policy: nothing of its own. A note follows its claims, which covers.lua reads.
local MAX_BALANCE = 2 ^ 52
local balance = {}
algorithms.ba = balance

function balance.policy()
  return { is_held = true, is_balance = true }
end

function balance.is_ahead()
  return false
end

function balance.read(left)
  return left or 0, 0
end

function balance.fits(left, _, _, _, cost)
  return cost <= left
end

function balance.remaining(left)
  return left
end

function balance.charge(left, _, now, _, cost)
  return left - min(cost, left), floor(now / SPENT_HOUR)
end

function balance.refund(left, _, now, _, units, at)
  local given = 0
  if at > now - STORED_FOR then given = min(units, MAX_BALANCE - left) end
  return left + given, floor(at / SPENT_HOUR), given
end

function balance.fetch(key)
  local text = pcall('HGET', key, 'left')
  if type(text) == 'table' then
    if text.err:sub(1, 9) ~= 'WRONGTYPE' then error(text) end
    return nil, nil, text.err
  end
  if not text then return end
  local left = integer(text)
  if not left then return nil, nil, 'SLUICE_UNREADABLE' end
  return left, 0
end

function balance.save(key, left, hour, stored_left, _, policy)
  -- A settlement takes what there is, which may be nothing.
  if left == (stored_left or 0) then return end
  save_balance(key, left, stored_left, hour, policy.now)
end

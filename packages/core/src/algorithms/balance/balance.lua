-- State: left, hour: the units, and the hour since 1970 in which those that have changed were charged.
-- Stored as: a hash. `left`: the units; `s` and an hour: what was spent in it, less what was refunded; `i` and the digest of an
-- id: when its credit was counted, in milliseconds. It expires only without units.
-- Policy: nothing of its own. A note follows its claims, which covers.lua reads.
local HOUR, HOURS, STORED_FOR, MAX_BALANCE = 3600000, 48, 2592000000, 2 ^ 52
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

function balance.wait(left, _, _, _, cost)
  return cost <= left and 0 or NEVER
end

function balance.remaining(left)
  return left
end

function balance.charge(left, _, now, _, cost)
  return left - min(cost, left), floor(now / HOUR)
end

function balance.describe(left)
  return left, 0, 0
end

function balance.refund(left, _, now, _, units, at)
  local given = 0
  if at > now - STORED_FOR then given = min(units, MAX_BALANCE - left) end
  return left + given, floor(at / HOUR), given
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

-- An hour has six digits, so that `..` writes it exactly.
local function add_spent(key, units, hour, oldest)
  if hour <= oldest or call('HINCRBY', key, 's' .. hour, units) ~= units then return end
  for _, field in ipairs(call('HKEYS', key)) do
    local known = tonumber(field:match('^s(%d+)$'))
    if known and known <= oldest then call('HDEL', key, field) end
  end
end

-- A volatile-* policy of eviction takes no key with units.
local function keep(key, left, stored_left, now)
  if left == 0 then
    call('PEXPIREAT', key, now + STORED_FOR)
  elseif stored_left == 0 then
    call('PERSIST', key)
  end
end

function balance.save(key, left, hour, stored_left, _, policy)
  call('HINCRBY', key, 'left', left - stored_left)
  add_spent(key, stored_left - left, hour, floor(policy.now / HOUR) - HOURS)
  keep(key, left, stored_left, policy.now)
end

-- State: count, ends: units charged, and when their window ends, in microseconds.
-- Kept as: anchor first: the count, under a TTL that ends with the window; anchor clock: (index mod 2^21) * 2^32 + count.
-- Policy: limit, window, anchor (0 first, 1 clock).
local fixed_window = {}
algorithms.fw = fixed_window

function fixed_window.policy(numbers)
  return { limit = numbers[3], window = numbers[4], clock = numbers[5] == 1 }
end

local function latest_end(now, policy)
  if not policy.clock then return ceil((now + policy.window) / 1000) * 1000 end
  return (floor(now / policy.window) + 1) * policy.window
end

function fixed_window.ahead(_, ends, now, policy)
  return ends > latest_end(now, policy)
end

function fixed_window.read(count, ends, now, policy)
  local latest = latest_end(now, policy)
  if not count or ends <= now then return 0, latest end
  return count, min(ends, latest)
end

function fixed_window.wait(count, ends, now, policy, cost)
  if min(count, policy.limit) + cost <= policy.limit then return 0 end
  return ends - now
end

function fixed_window.remaining(count, _, _, policy)
  return max(0, policy.limit - count)
end

function fixed_window.charge(count, ends, _, policy, cost)
  return count + min(cost, max(0, policy.limit - count)), ends
end

function fixed_window.describe(count, ends, now, policy)
  local left = 0
  if count > 0 then left = ends - now end
  return max(0, policy.limit - count), left, left
end

function fixed_window.refund(count, ends, now, policy, units, _, till)
  local given = 0
  count, ends = fixed_window.read(count, ends, now, policy)
  if ends == till then given = min(units, count) end
  return count - given, ends, given
end

function fixed_window.fetch(key, now, policy)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local value = integer(text)
  if not value then return nil, nil, 'SLUICE_UNREADABLE' end
  if policy.clock then
    -- Only the lower bits of the index are kept: the nearest index that has them is meant.
    local current = floor(now / policy.window)
    local age = (current - floor(value / 4294967296)) % 2097152
    if age >= 1048576 then age = age - 2097152 end
    return value % 4294967296, (current - age + 1) * policy.window
  end
  local expires = call('PEXPIRETIME', key)
  -- A counter that lost its TTL would live for ever: it is taken for one that ends too late, and so re-dated.
  if expires < 0 then expires = math.huge end
  return value, expires * 1000
end

function fixed_window.save(key, count, ends, kept_count, kept_ends, policy)
  if kept_ends == ends then return call('INCRBY', key, count - kept_count) end
  if not policy.clock then return call('SET', key, count, 'PXAT', ends / 1000) end
  local index = ends / policy.window - 1
  return call('SET', key, (index % 2097152) * 4294967296 + count, 'PXAT', ceil(ends / 1000))
end

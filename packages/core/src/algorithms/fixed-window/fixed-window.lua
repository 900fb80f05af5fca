-- State: count, ends: units charged, and when their window ends, in microseconds.
-- Kept as: (part mod 2^21) * 2^32 + count, where part = ends / grain.
-- Policy: limit, reach, grain.
local fixed_window = {}
algorithms.fw = fixed_window

function fixed_window.policy(numbers)
  return { limit = numbers[3], reach = numbers[4], grain = numbers[5] }
end

local function latest_end(now, policy)
  return ceil((now + policy.reach) / policy.grain) * policy.grain
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
  local count = value % 4294967296
  -- Only the lower bits of a part are kept: the part that has them and is nearest to the middle of a window is meant.
  local middle = floor((now + policy.reach / 2) / policy.grain)
  local age = (middle - (value - count) / 4294967296) % 2097152
  if age >= 1048576 then age = age - 2097152 end
  return count, (middle - age) * policy.grain
end

function fixed_window.save(key, count, ends, kept_count, kept_ends, policy)
  if kept_ends == ends then return call('INCRBY', key, count - kept_count) end
  local value = ends / policy.grain % 2097152 * 4294967296 + count
  return call('SET', key, value, 'PXAT', ceil(ends / 1000))
end

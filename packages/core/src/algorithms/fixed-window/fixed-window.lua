-- State: count, ends: units charged, and when their window ends, in microseconds.
-- Policy: limit, reach, grain; then of periods their ends, from the one before that of the process on.
local fixed_window = {}
algorithms.fw = fixed_window

function fixed_window.policy(numbers)
  local policy = { limit = numbers[3], reach = numbers[4], grain = numbers[5] }
  if numbers[6] then policy.ends = { unpack(numbers, 6) } end
  return policy
end

-- Only the lower bits of a part are stored: of the parts with these bits, the nearest to the middle of a window is meant.
local function unpack_window(value, now, policy)
  local count = value % COUNT_RANGE
  local middle = floor((now + policy.reach / 2) / policy.grain)
  local age = (middle - (value - count) / COUNT_RANGE) % PART_RANGE
  if age >= PART_RANGE / 2 then age = age - PART_RANGE end
  return count, middle - age
end

-- The integer of a window with notices, and up to which count its marks were told, where that is another one.
local function told_in(text)
  local value, told = text:match('^(%d+) (%d+)$')
  if value then return integer(value), integer(told) end
end

-- The end of a window that begins now, and the latest end that is not ahead of the clock.
local function ends_at(now, policy)
  local ends, size = policy.ends, policy.ends and #policy.ends
  if not ends then
    local latest = ceil((now + policy.reach) / policy.grain) * policy.grain
    return latest, latest
  end
  for place = 1, size - 1 do
    if ends[place] > now then return ends[place], ends[place + 1] end
  end
  -- The clock of the process is periods behind: these are as long as its last one.
  local length = ends[size] - ends[size - 1]
  local latest = ends[size] + max(0, ceil((now + 1 - ends[size]) / length)) * length
  return latest, latest + length
end

function fixed_window.is_ahead(_, ends, now, policy)
  local _, furthest = ends_at(now, policy)
  return ends > furthest
end

function fixed_window.read(count, ends, now, policy)
  local latest, furthest = ends_at(now, policy)
  if not count or ends <= now then return 0, latest end
  if ends > furthest then return count, latest end
  return count, ends
end

function fixed_window.fits(count, _, _, policy, cost)
  return min(count, policy.limit) + cost <= policy.limit
end

function fixed_window.remaining(count, _, _, policy)
  return max(0, policy.limit - count)
end

function fixed_window.charge(count, ends, now, policy, cost)
  return count + min(cost, fixed_window.remaining(count, ends, now, policy)), ends
end

function fixed_window.refund(count, ends, now, policy, units, _, until_)
  local given = 0
  count, ends = fixed_window.read(count, ends, now, policy)
  if ends == until_ then given = min(units, count) end
  -- The next request begins a window: the one that began this window does not count.
  if given == count then return 0, 0, given end
  return count - given, ends, given
end

function fixed_window.fetch(key, now, policy)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  local value, told = integer(text), nil
  if not value then value, told = told_in(text) end
  if not value then return nil, nil, 'SLUICE_UNREADABLE' end
  local count, part = unpack_window(value, now, policy)
  return count, part * policy.grain, nil, told
end

local function window_integer(count, ends, policy)
  return ends / policy.grain % PART_RANGE * COUNT_RANGE + count
end

function fixed_window.save(key, count, ends, stored_count, stored_ends, policy)
  if count == 0 then return call('UNLINK', key) end
  -- The count up to which marks were told makes it no integer.
  if stored_ends == ends and type(pcall('INCRBY', key, count - stored_count)) == 'number' then return end
  return call('SET', key, window_integer(count, ends, policy), 'PXAT', ceil(ends / 1000))
end

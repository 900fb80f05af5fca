-- A fixed window that gives notice of marks of its limit.
-- State: count, window: when it ends, and `reported`: the units of the highest mark that was reported before refunds lowered the
-- count, or 0. Only where that is above the count it is stored, behind the integer of the window.
-- Policy: that of the fixed window; then the units of its marks, and how many they are.
local noticed_window = {}
algorithms.fn = noticed_window

function noticed_window.policy(numbers)
  local marks = {}
  for place = table.remove(numbers), 1, -1 do marks[place] = table.remove(numbers) end
  local policy = fixed_window.policy(numbers)
  policy.marks = marks
  return policy
end

function noticed_window.is_ahead(count, window, now, policy)
  return fixed_window.is_ahead(count, window.ends, now, policy)
end

function noticed_window.read(count, window, now, policy)
  -- A window without units has not begun: it is stored only for what was reported of it.
  if count == 0 then count = nil end
  local units, ends = fixed_window.read(count, window.ends, now, policy)
  return units, { ends = ends, reported = window.ends == ends and window.reported or 0 }
end

function noticed_window.wait(count, window, now, policy, cost)
  return fixed_window.wait(count, window.ends, now, policy, cost)
end

noticed_window.remaining = fixed_window.remaining

-- The units of the highest mark that a count has reached, or 0.
local function highest_mark(marks, count)
  local highest = 0
  for _, units in ipairs(marks) do
    if units <= count then highest = units end
  end
  return highest
end

function noticed_window.charge(count, window, now, policy, cost)
  return fixed_window.charge(count, window.ends, now, policy, cost), window
end

-- The detail is 0, or where the charge has reached a mark 1 above the units that were reported before.
function noticed_window.describe(count, window, now, policy, _, charged)
  local remaining, replenish_after, reset_after = fixed_window.describe(count, window.ends, now, policy)
  local before, detail = max(window.reported, count - charged), 0
  if highest_mark(policy.marks, count) > before then detail = before + 1 end
  return remaining, replenish_after, reset_after, detail
end

function noticed_window.refund(count, window, now, policy, units, at, until_)
  count, window = noticed_window.read(count, window, now, policy)
  local left, _, given = fixed_window.refund(count, window.ends, now, policy, units, at, until_)
  return left, { ends = window.ends, reported = max(window.reported, highest_mark(policy.marks, count)) }, given
end

function noticed_window.fetch(key, now, policy)
  local count, ends, problem, reported = fixed_window.fetch(key, now, policy)
  return count, { ends = ends, reported = reported or 0 }, problem
end

function noticed_window.save(key, count, window, stored_count, stored_window, policy)
  if window.reported <= count then
    return fixed_window.save(key, count, window.ends, stored_count, stored_window.ends, policy)
  end
  local value = ('%.0f %.0f'):format(window_integer(count, window.ends, policy), window.reported)
  return call('SET', key, value, 'PXAT', ceil(window.ends / 1000))
end

-- The state of the TypeScript twin.
function noticed_window.state_of(count, window)
  if not count then return {} end
  return { count, window.ends, window.reported }
end

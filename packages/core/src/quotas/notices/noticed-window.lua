-- A fixed window that gives notice of marks of its limit.
-- State: count, window: its key, when it ends, and after a charge that has reported a mark `before`, the units of the one before.
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
  local units, ends = fixed_window.read(count, window.ends, now, policy)
  return units, { key = window.key, ends = ends }
end

function noticed_window.wait(count, window, now, policy, cost)
  return fixed_window.wait(count, window.ends, now, policy, cost)
end

noticed_window.remaining = fixed_window.remaining

-- The integer of a window without units.
local function empty_window(ends, policy)
  return ends / policy.grain % PART_RANGE * COUNT_RANGE
end

-- The units of the highest mark that a count has reached, or 0.
local function highest_mark(marks, count)
  local highest = 0
  for _, units in ipairs(marks) do
    if units <= count then highest = units end
  end
  return highest
end

-- Tells the highest mark that the charge has reached, unless it was reported before.
function noticed_window.charge(count, window, now, policy, cost)
  local units = fixed_window.charge(count, window.ends, now, policy, cost)
  local after = { key = window.key, ends = window.ends }
  local mark = highest_mark(policy.marks, units)
  if mark > count then
    local empty = empty_window(window.ends, policy)
    local reported = reported_in(window.key, empty)
    if reported < mark then
      report(window.key, empty + mark, ceil(window.ends / 1000))
      after.before = reported
    end
  end
  return units, after
end

-- The detail is 0, or 1 above the units of the mark that was reported before.
function noticed_window.describe(count, window, now, policy)
  local remaining, replenish_after, reset_after = fixed_window.describe(count, window.ends, now, policy)
  return remaining, replenish_after, reset_after, window.before and window.before + 1 or 0
end

function noticed_window.refund(count, window, now, policy, units, at, until_)
  local left, ends, given = fixed_window.refund(count, window.ends, now, policy, units, at, until_)
  return left, { key = window.key, ends = ends }, given
end

function noticed_window.fetch(key, now, policy)
  local count, ends, problem = fixed_window.fetch(key, now, policy)
  return count, { key = key, ends = ends }, problem
end

function noticed_window.save(key, count, window, stored_count, stored_window, policy)
  return fixed_window.save(key, count, window.ends, stored_count, stored_window.ends, policy)
end

-- The state of the TypeScript twin.
function noticed_window.state_of(count, window, policy)
  if not count then return {} end
  return { count, window.ends, reported_in(window.key, empty_window(window.ends, policy)) }
end

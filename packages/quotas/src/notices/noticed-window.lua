-- A fixed window that gives notice of marks of its limit.
-- State: count, window: when it ends, and `told`: up to which count its marks were told, also those of other limits that the key
-- has had. It is stored behind the integer of the window where it is not the count: once refunds have lowered the count, or
-- where a mark is held back until other slots of a Cluster have admitted its request.
-- Policy: that of the fixed window; then the units of its marks, and how many they are; then how it tells them: with the
-- charge, not with it, or later without a charge.
local noticed_window, HELD, LATER, RAISED_RANGE = {}, 1, 2, 1048576
algorithms.fn = noticed_window

function noticed_window.policy(numbers)
  local telling, marks = table.remove(numbers), {}
  for place = table.remove(numbers), 1, -1 do marks[place] = table.remove(numbers) end
  local policy = fixed_window.policy(numbers)
  policy.telling, policy.marks = telling, marks
  return policy
end

-- Plans of one tier may have notices or none, so that requests of a batch meet the states of each other.
local function ends_of(stored)
  return type(stored) == 'table' and stored.ends or stored
end

local plain_is_ahead, plain_read, plain_save = fixed_window.is_ahead, fixed_window.read, fixed_window.save
local plain_fetch = fixed_window.fetch

function fixed_window.is_ahead(count, stored, now, policy)
  return plain_is_ahead(count, ends_of(stored), now, policy)
end

function fixed_window.read(count, stored, now, policy)
  return plain_read(count, ends_of(stored), now, policy)
end

function fixed_window.save(key, count, ends, stored_count, stored, policy)
  return plain_save(key, count, ends, stored_count, ends_of(stored), policy)
end

function fixed_window.fetch(key, now, policy)
  local count, ends, problem, told = plain_fetch(key, now, policy)
  return count, { ends = ends, told = told }, problem
end

local function told_of(count, stored)
  return type(stored) == 'table' and stored.told or count
end

-- The window that a state is at this time.
local function roll_window(stored_count, stored, now, policy)
  -- A window without units has not begun: it is stored only for what was told of it.
  local begun = stored_count
  if begun == 0 then begun = nil end
  local count, ends = fixed_window.read(begun, stored, now, policy)
  if not stored_count or count == 0 and ends_of(stored) ~= ends then return count, ends, 0 end
  return count, ends, told_of(count, stored)
end

local function has_mark_within(marks, above, up_to)
  for _, units in ipairs(marks) do
    if units > above and units <= up_to then return true end
  end
  return false
end

-- What is told later is saved without a charge.
function noticed_window.is_ahead(count, stored, now, policy)
  if policy.telling == LATER and told_of(count, stored) < count then return true end
  return fixed_window.is_ahead(count, stored, now, policy)
end

function noticed_window.read(stored_count, stored, now, policy)
  local count, ends, told = roll_window(stored_count, stored, now, policy)
  if policy.telling == LATER then told = max(told, count) end
  return count, { ends = ends, told = told }
end

function noticed_window.fits(count, window, now, policy, cost)
  return fixed_window.fits(count, window.ends, now, policy, cost)
end

noticed_window.remaining = fixed_window.remaining

function noticed_window.charge(before, window, now, policy, cost)
  local count, told = fixed_window.charge(before, window.ends, now, policy, cost), window.told
  local is_held = policy.telling == HELD and has_mark_within(policy.marks, told, count)
  return count, { ends = window.ends, told = is_held and told or max(told, count) }
end

-- Up to which count marks were told before a charge, unless another one has told more since.
local function told_before(told, before)
  local raised = before % RAISED_RANGE
  local earlier = (before - raised) / RAISED_RANGE
  if raised > 0 and told == earlier + raised then return earlier end
  return told
end

function noticed_window.refund(stored_count, stored, now, policy, units, at, until_, undone, before)
  local count, ends, told = roll_window(stored_count, stored, now, policy)
  local left, _, given = fixed_window.refund(count, ends, now, policy, units, at, until_)
  if given > 0 and undone then told = told_before(told, before) end
  return left, { ends = ends, told = told }, given
end

noticed_window.fetch = fixed_window.fetch

function noticed_window.save(key, count, window, stored_count, stored, policy)
  if window.told == count then
    return fixed_window.save(key, count, window.ends, stored_count, stored, policy)
  end
  local value = ('%.0f %.0f'):format(window_integer(count, window.ends, policy), window.told)
  return call('SET', key, value, 'PXAT', ceil(window.ends / 1000))
end

-- The state of the TypeScript twin.
function noticed_window.state_of(count, window)
  if not count then return {} end
  return { count, window.ends, told_of(count, window) }
end

fixed_window.state_of = noticed_window.state_of

-- The grants of a balance: units that end together, in the order in which they are spent. Spent ones stay until they end,
-- because refunds may come.
-- A balance is a list of numbers: `low`, down to which units it was told; when units have ended last, and how many since the last
-- credit; then of each grant its number, its order, when it ends in milliseconds, or 0, and its units.
local DEFAULT_ORDER, MAX_GRANTS, NUMBERS, NUMBER_RANGE, UNITS_RANGE = 50, 16, 1023, 1024, 4294967296
local FIRST = 4

local function sum_of(account)
  local sum = 0
  for at = FIRST, #account, 4 do sum = sum + account[at + 3] end
  return sum
end

local function has_ended(ends, now)
  return ends > 0 and ends <= now
end

local function find_grant(account, number)
  for at = FIRST, #account, 4 do
    if account[at] == number then return at end
  end
end

local function remove_grant(account, at)
  for _ = 1, 4 do table.remove(account, at) end
end

-- Takes units, at most those that it has. The process finds out which grants they were of.
local function take_units(account, units)
  local wanted, at = units, FIRST
  while at < #account do
    local taken = min(wanted, account[at + 3])
    wanted = wanted - taken
    account[at + 3] = account[at + 3] - taken
    if account[at + 3] > 0 or account[at] > 0 then at = at + 4 else remove_grant(account, at) end
  end
end

local function is_before(order, ends, account, at)
  if order ~= account[at + 1] then return order < account[at + 1] end
  if ends ~= account[at + 2] then return account[at + 2] == 0 or ends ~= 0 and ends < account[at + 2] end
  return false
end

local function insert_grant(account, number, order, ends, left)
  local place = FIRST
  while place < #account and not is_before(order, ends, account, place) do place = place + 4 end
  for offset, value in ipairs({ number, order, ends, left }) do table.insert(account, place + offset - 1, value) end
end

-- Returns the units that no grant has taken.
local function add_to(account, number, units)
  if units == 0 then return 0 end
  local at = find_grant(account, number)
  if not at and number > 0 then return units end
  if at then account[at + 3] = account[at + 3] + units else insert_grant(account, 0, DEFAULT_ORDER, 0, units) end
  return 0
end

-- Gives units back to the grants of a receipt, the last one first. Returns those whose grant has ended. A receipt is one integer: the
-- number of the first grant, that of the last one, and the units of the last one, which stands for all that follow the first.
local function give_back(account, units, receipt)
  local rest = receipt % UNITS_RANGE
  local numbers = (receipt - rest) / UNITS_RANGE
  local last = numbers % NUMBER_RANGE
  local first = (numbers - last) / NUMBER_RANGE
  local to_last = min(units, rest)
  return add_to(account, last, to_last) + add_to(account, first, units - to_last)
end

-- Removes the spent grant that is spent first, where they are too many.
local function make_room(account)
  if (#account - FIRST + 1) / 4 < MAX_GRANTS then return end
  for at = FIRST, #account, 4 do
    if account[at + 3] == 0 then return remove_grant(account, at) end
  end
end

-- Numbers begin again after the last one: no request runs for so long.
local function new_number(key, account)
  local number
  repeat number = (call('HINCRBY', key, 'granted', 1) - 1) % NUMBERS + 1 until not find_grant(account, number)
  return number
end

-- Adds units that end then. Returns false where that would be a grant too many.
local function grant_units(key, account, units, ends, order)
  local count = 0
  for at = FIRST, #account, 4 do
    if account[at + 2] == ends and account[at + 1] == order then
      account[at + 3] = account[at + 3] + units
      return true
    end
    if account[at + 3] > 0 then count = count + 1 end
  end
  if count >= MAX_GRANTS then return false end
  if ends == 0 and order == DEFAULT_ORDER then
    add_to(account, 0, units)
  else
    make_room(account)
    insert_grant(account, new_number(key, account), order, ends, units)
  end
  return true
end

-- The grant with units that ends next.
local function ends_next(account)
  local next_at
  for at = FIRST, #account, 4 do
    local is_open = account[at + 3] > 0 and account[at + 2] > 0
    if is_open and (not next_at or account[at + 2] < account[next_at + 2]) then next_at = at end
  end
  return next_at
end

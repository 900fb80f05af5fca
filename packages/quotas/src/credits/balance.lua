-- State: the numbers of a balance (grants.lua), and what has changed: `spent` units in `hour`, and postings to write.
-- Stored as: a hash. `left`: the numbers, or the units alone where these never end and nothing else is to say; `s` and an hour:
-- what was spent in it, less what was refunded; `i` and the digest of an id: when its credit was counted, in milliseconds, its
-- units, and what a debit did not find; and postings (postings.lua). It expires only without units.
-- Policy: how it tells marks: with the charge, not with it because another slot of a Cluster may deny the request, later without
-- a charge, or -1 where it has none; then 1 where it pays the rest of a cost. A note follows its claims, which covers.lua reads.
local MAX_BALANCE, NOT_TOLD, HELD, LATER = 2 ^ 52, -1, 1, 2
local balance = {}
algorithms.ba = balance

function balance.policy(numbers)
  local telling = numbers[3]
  if telling == NOT_TOLD then telling = nil end
  return { is_held = true, is_balance = true, telling = telling, splits = numbers[4] == 1 }
end

local function is_plain(account)
  return account[2] == 0 and #account <= FIRST + 3 and (account[FIRST] or 0) == 0 and account[1] == sum_of(account)
end

local function text_of(account)
  if is_plain(account) then return ('%.0f'):format(sum_of(account)) end
  local texts = {}
  for place, number in ipairs(account) do texts[place] = ('%.0f'):format(number) end
  return table.concat(texts, ',')
end

-- Returns nil for a text that no balance has.
local function account_of(text)
  local left = integer(text)
  if left == 0 then return { 0, 0, 0 } end
  if left then return { left, 0, 0, 0, DEFAULT_ORDER, 0, left } end
  local account = {}
  if not text:find('^%d[%d,]*$') then return end
  for digits in text:gmatch('%d+') do account[#account + 1] = tonumber(digits) end
  if #account % 4 == 3 then return account end
end

-- The numbers and changes of a balance, to change them.
local function copy_of(account, change)
  local copy = { unpack(account or { 0, 0, 0 }) }
  if not change then return copy, { spent = 0, postings = {} } end
  return copy, { spent = change.spent, hour = change.hour, postings = { unpack(change.postings) } }
end

local function post(change, ...)
  change.postings[#change.postings + 1] = { ... }
end

-- Removes grants that have ended, whose units are postings.
local function bring_up_to_date(account, change, now)
  local at, is_changed = FIRST, false
  while at < #account do
    local order, ends, left = account[at + 1], account[at + 2], account[at + 3]
    if has_ended(ends, now) then
      remove_grant(account, at)
      is_changed = true
      if left > 0 then
        account[2], account[3] = max(account[2], ends), account[3] + left
        post(change, EXPIRY, now, -left, sum_of(account), ends, order)
      end
    else
      at = at + 4
    end
  end
  return is_changed
end

-- Down to which units a balance was told, once it holds fewer.
local function lower(account, policy)
  local left = sum_of(account)
  if not policy.telling then
    account[1] = left
  elseif policy.telling ~= HELD then
    account[1] = min(account[1], left)
  end
end

function balance.is_ahead(account, _, now, policy)
  if policy.telling == LATER and account[1] > sum_of(account) then return true end
  for at = FIRST, #account, 4 do
    if account[at + 3] > 0 and has_ended(account[at + 2], now) then return true end
  end
  return false
end

function balance.read(stored, stored_change, now, policy)
  local account, change = copy_of(stored, stored_change)
  if bring_up_to_date(account, change, now) or policy.telling == LATER then lower(account, policy) end
  return account, change
end

function balance.fits(account, _, _, _, cost)
  return cost <= sum_of(account)
end

function balance.remaining(account)
  return sum_of(account)
end

function balance.charge(account, change, now, policy, cost)
  local units = min(cost, sum_of(account))
  -- A settlement may find nothing, and tells marks all the same.
  take_units(account, units)
  change.spent, change.hour = change.spent + units, floor(now / SPENT_HOUR)
  lower(account, policy)
  return account, change
end

-- Of a receipt, `before` says which grants were charged. Units whose grant has ended are lost, and are given back all the same.
function balance.refund(stored, stored_change, now, policy, units, at, _, _, before)
  local account, change = copy_of(stored, stored_change)
  bring_up_to_date(account, change, now)
  local given = 0
  if at > now - STORED_FOR then given = min(units, MAX_BALANCE - sum_of(account)) end
  if given == 0 then return stored, stored_change, 0 end
  local lost = give_back(account, given, before)
  change.spent, change.hour = change.spent - given, floor(at / SPENT_HOUR)
  if lost > 0 then post(change, LOST, now, -lost, sum_of(account), 0, 0) end
  if not policy.telling then account[1] = sum_of(account) end
  return account, change, given
end

function balance.fetch(key)
  local text = pcall('HGET', key, 'left')
  if type(text) == 'table' then
    if text.err:sub(1, 9) ~= 'WRONGTYPE' then error(text) end
    return nil, nil, text.err
  end
  if not text then return end
  local account = account_of(text)
  if not account then return nil, nil, 'SLUICE_UNREADABLE' end
  return account
end

function balance.save(key, account, change, stored, _, policy)
  local text, stored_left = text_of(account), stored and sum_of(stored) or 0
  -- A settlement takes what there is, which may be nothing.
  if text == (stored and text_of(stored) or '0') and #change.postings == 0 then return end
  call('HSET', key, 'left', text)
  if change.spent ~= 0 then add_spent(key, change.spent, change.hour, floor(policy.now / SPENT_HOUR) - SPENT_HOURS) end
  write_postings(key, change.postings)
  keep(key, sum_of(account), stored_left, policy.now)
end

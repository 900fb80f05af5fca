-- Adds units to a balance, or takes some, once for each id.
--
-- KEYS  the balance.
-- ARGV  units: below 0 for a debit, 0 to bring it up to date; the digest of the id; when the units end, or 0; the order of their
--       grant; 1 to tell marks; what their posting says.
-- Returns an error text; or -1 where it would hold too much; or -2 where that would be a grant too many, then when the next one
-- ends and its units; or the units that it holds then; 1 for an id that is new, or 0; the units that were added under the id, or 0
-- where an earlier version has counted it; what a debit did not find; down to which units marks were told. Without units then its
-- postings.
local MAX_CREDITS = 64
local key, units, id, now = KEYS[1], tonumber(ARGV[1]), 'i' .. ARGV[2], floor(now_us / 1000)
local ends, order, tells, note = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5] == '1', ARGV[6]
local stored, _, problem = balance.fetch(key)
if problem then return { problem } end
local account, change = copy_of(stored)
bring_up_to_date(account, change, now)
local told = stored and stored[1] or 0

-- A credit is stored as its time, its units, and what a debit did not find.
local function time_of(text)
  return tonumber(text:match('^%d+'))
end

local function finish(is_new, added, rest)
  local left = sum_of(account)
  -- Marks are told by who asks to tell them, and again after a credit alone.
  if is_new == 1 and units > 0 then
    if tells or left > account[1] then account[1] = left end
  elseif tells then
    account[1] = min(account[1], left)
  end
  balance.save(key, account, change, stored, nil, { now = now })
  local reply = { left, is_new, added, rest, told }
  if units == 0 then
    for _, each in ipairs(read_postings(key)) do reply[#reply + 1] = each end
  end
  return reply
end

if units == 0 then return finish(0, 0, 0) end
local counted, credits, fields = call('HGET', key, id), {}, call('HGETALL', key)
if counted and time_of(counted) > now - STORED_FOR then
  local added, rest = counted:match(' (-?%d+) ?(%d*)$')
  return finish(0, tonumber(added or 0), tonumber(rest) or 0)
end

local left, rest = sum_of(account), 0
if units > 0 then
  if left + units > MAX_BALANCE then return { -1 } end
  if not grant_units(key, account, units, ends, order) then
    local at = ends_next(account)
    return { -2, at and account[at + 2] or 0, at and account[at + 3] or 0 }
  end
  account[2], account[3] = 0, 0
  post(change, CREDIT, now, units, left + units, ends, order, note)
else
  local taken = min(-units, left)
  rest = -units - taken
  take_units(account, taken)
  post(change, DEBIT, now, 0 - taken, left - taken, 0, 0, note)
end

for place = 1, #fields, 2 do
  local field = fields[place]
  if field:sub(1, 1) == 'i' then
    local at = time_of(fields[place + 1])
    if at <= now - STORED_FOR then call('HDEL', key, field) else credits[#credits + 1] = { field, at } end
  end
end
-- Oldest first. The id decides within a millisecond, in both languages.
table.sort(credits, function(one, other)
  if one[2] == other[2] then return one[1] < other[1] end
  return one[2] < other[2]
end)
for place = 1, #credits - MAX_CREDITS + 1 do call('HDEL', key, credits[place][1]) end
call('HSET', key, id, (rest > 0 and '%.0f %.0f %.0f' or '%.0f %.0f'):format(now, units, rest))
return finish(1, units, rest)

-- What a customer has used of a tier lies under both, in the slot of the count and whatever its shape is: a hash of hours since
-- 1970. The field of an hour has the units that no export has, so that the hour is open; with an x before it, those that one has.
-- `label` names the customer.
-- The last KEYS are sets of usage with open hours, by the oldest of them: exports look there. On a Cluster no script can reach one.
local HOUR, KEPT_HOURS = 3600000000, 1488
local opens = {}
while KEYS[#KEYS] and KEYS[#KEYS]:sub(-5) == ':open' do
  opens[KEYS[#KEYS]] = true
  KEYS[#KEYS] = nil
end

local function usage_key(key)
  if not key:find('{', 1, true) then return '{' .. key .. '}:used' end
  return (key:match('^(.*}.*):') or key) .. ':used'
end

local this_hour = floor(now_us / HOUR)

-- The first units of an hour have been counted, or the first ones since an export.
local function begin_hour(usage, hour)
  call('PEXPIREAT', usage, (this_hour + 1 + KEPT_HOURS) * (HOUR / 1000))
  local open = usage:match('^([^{]*){') .. '{~usage}:open'
  -- The first export makes the set. A key of another type belongs to another program.
  if opens[open] and type(pcall('ZSCORE', open, 'begun')) == 'string' then call('ZADD', open, 'LT', hour, usage) end
  if call('HLEN', usage) <= KEPT_HOURS + 24 then return end
  for _, field in ipairs(call('HKEYS', usage)) do
    local old = field:match('^x?(%d+)$')
    if old and old + 0 <= this_hour - KEPT_HOURS then call('HDEL', usage, field) end
  end
end

local function count_usage(usage, hour, units)
  if hour <= this_hour - KEPT_HOURS then return end
  -- A key of another type belongs to another program, and must not fail a request.
  local sum = pcall('HINCRBY', usage, hour, units)
  -- A full Redis refuses it as the first write of a refund, which must then not give back units that stay on the bill.
  if type(sum) == 'table' and sum.err:find('OOM', 1, true) then error(sum) end
  if sum == units then begin_hour(usage, hour) end
end

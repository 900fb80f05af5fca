-- The usage of a key lies beside it, in its slot of a Cluster: a hash of hours since 1970. The field of an hour has the units
-- that no export has; with an x before it, those that one has.
local HOUR, KEPT_HOURS = 3600000000, 1488

local function usage_key(key)
  return key:find('{', 1, true) and key .. ':usage' or '{' .. key .. '}:usage'
end

local this_hour = floor(now_us / HOUR)

-- The first units of an hour have been counted.
local function begin_hour(usage)
  call('PEXPIREAT', usage, (this_hour + 1 + KEPT_HOURS) * (HOUR / 1000))
  if call('HLEN', usage) <= KEPT_HOURS + 24 then return end
  for _, field in ipairs(call('HKEYS', usage)) do
    if tonumber((field:gsub('x', ''))) <= this_hour - KEPT_HOURS then call('HDEL', usage, field) end
  end
end

local function count_usage(key, hour, units)
  if hour <= this_hour - KEPT_HOURS then return end
  local usage = usage_key(key)
  -- A key of another type belongs to another program, and must not fail a request.
  local sum = pcall('HINCRBY', usage, hour, units)
  -- A full Redis refuses it as the first write of a refund, which must then not give back units that stay on the bill.
  if type(sum) == 'table' and sum.err:find('OOM', 1, true) then error(sum) end
  if sum == units then begin_hour(usage) end
end

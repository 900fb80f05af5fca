-- The usage of a key lies beside it, in its slot of a Cluster: a hash of hours since 1970. The field of an hour has the units
-- that no export has; with an x before it, those that one has.
local HOUR, KEPT_HOURS = 3600000000, 1488

local function usage_key(key)
  return key:find('{', 1, true) and key .. ':usage' or '{' .. key .. '}:usage'
end

local function count_usage(key, hour, units)
  local usage, current = usage_key(key), floor(now_us / HOUR)
  if hour <= current - KEPT_HOURS then return end
  -- A key of another type belongs to another program, and must not fail a request.
  local sum = pcall('HINCRBY', usage, hour, units)
  if sum ~= units then return end
  -- These are the first units of the hour.
  call('PEXPIREAT', usage, (current + 1 + KEPT_HOURS) * (HOUR / 1000))
  if call('HLEN', usage) <= KEPT_HOURS + 24 then return end
  for _, field in ipairs(call('HKEYS', usage)) do
    if tonumber((field:gsub('x', ''))) <= current - KEPT_HOURS then call('HDEL', usage, field) end
  end
end

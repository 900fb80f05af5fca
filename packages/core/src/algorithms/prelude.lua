-- What every script begins with. Times are integers in ticks of the policy, so all arithmetic is exact below 2^53.
-- A state is two values, which each algorithm names; it goes through the steps that its TypeScript twin has.
if not redis.REDIS_VERSION_NUM then
  return redis.error_reply('SLUICE_UNSUPPORTED Redis 7.0 or Valkey 7.2 is needed')
end
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local call, pcall = redis.call, redis.pcall
local NEVER = -1
local algorithms = {}

-- The text under a key, or false; and the error that kept it from being read.
local function fetch_text(key)
  local text = pcall('GET', key)
  if type(text) == 'table' then return false, text.err end
  return text
end

-- The integer of a text, or nil for what is none to INCRBY: 'inf', '0x10', '3.5' and '007' are numbers to Lua alone.
local function integer(text)
  if text == '0' or (#text <= 16 and text:find('^[1-9]%d*$')) then return tonumber(text) end
end

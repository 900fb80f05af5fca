-- Every script begins here. Times are integers in ticks of a policy, so all arithmetic is exact below 2^53.
if not redis.REDIS_VERSION_NUM then
  return redis.error_reply('SLUICE_UNSUPPORTED Redis 7.0 or Valkey 7.2 is needed')
end
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local call, pcall = redis.call, redis.pcall

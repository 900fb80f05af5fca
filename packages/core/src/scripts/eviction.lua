-- Reports how the server evicts keys: `maxmemory` in bytes (0: no limit), and its policy.
--
-- Returns both, or nothing where the user has no right to ask.
local info = redis.pcall('INFO', 'memory')
if type(info) ~= 'string' then return {} end
return { tonumber(info:match('maxmemory:(%d+)')), info:match('maxmemory_policy:(%S+)') }

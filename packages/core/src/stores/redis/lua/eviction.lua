-- Tells how the server makes room: the bytes that it may take (0: all there are), and its policy.
--
-- Returns both, or nothing where we may not ask.
local info = redis.pcall('INFO', 'memory')
if type(info) ~= 'string' then return {} end
return { tonumber(info:match('maxmemory:(%d+)')), info:match('maxmemory_policy:(%S+)') }

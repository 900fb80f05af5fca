-- Reads a list.
--
-- KEYS  the list: a hash of items, each with its end in milliseconds and a note; and of the version.
-- ARGV  the version that is known.
-- Returns the server's milliseconds and the version; then, if it is another one, the items and their values.
local version = call('HGET', KEYS[1], 'version') or '0'
local reply = { ('%.0f'):format(floor(now_us / 1000)), version }
if version == ARGV[1] then return reply end
for _, text in ipairs(call('HGETALL', KEYS[1])) do reply[#reply + 1] = text end
return reply

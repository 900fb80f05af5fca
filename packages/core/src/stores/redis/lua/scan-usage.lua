-- Finds keys of usage on the server of a key.
--
-- KEYS  any key of the server.
-- ARGV  the cursor, the pattern of the keys, and that key without what the client begins every key with.
-- Returns the next cursor, then the keys without that.
local begin = KEYS[1]:sub(1, #KEYS[1] - #ARGV[3])
local page = redis.call('SCAN', ARGV[1], 'MATCH', begin:gsub('[*?%[%]\\]', '\\%0') .. ARGV[2], 'COUNT', 1000)
for place, key in ipairs(page[2]) do page[2][place] = key:sub(#begin + 1) end
return page

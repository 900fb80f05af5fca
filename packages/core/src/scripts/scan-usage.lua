-- Finds keys of usage on the server of a key, also those of version 0.2.0.
--
-- KEYS  any key of the server.
-- ARGV  the cursor, a pattern that all of them match, and that key without what the client begins every key with.
-- Returns the next cursor, then the keys without that.
local begin = KEYS[1]:sub(1, #KEYS[1] - #ARGV[3])
local page = call('SCAN', ARGV[1], 'MATCH', begin:gsub('[*?%[%]\\]', '\\%0') .. ARGV[2], 'COUNT', 1000)
local found = {}
for _, key in ipairs(page[2]) do
  if key:sub(-5) == ':used' or key:sub(-6) == ':usage' then found[#found + 1] = key:sub(#begin + 1) end
end
return { page[1], found }

-- Finds keys on the server of a key.
--
-- KEYS  any key of the server.
-- ARGV  the cursor, a pattern that all of them match, that key without what the client begins every key with; then what they may
--       end with.
-- Returns the next cursor, then the keys without that.
local begin = KEYS[1]:sub(1, #KEYS[1] - #ARGV[3])
local page = call('SCAN', ARGV[1], 'MATCH', begin:gsub('[*?%[%]\\]', '\\%0') .. ARGV[2], 'COUNT', 1000)
local found = {}
for _, key in ipairs(page[2]) do
  for place = 4, #ARGV do
    if key:sub(-#ARGV[place]) == ARGV[place] then found[#found + 1] = key:sub(#begin + 1) end
  end
end
return { page[1], found }

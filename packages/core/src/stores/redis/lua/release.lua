-- Ends units that are held.
--
-- KEYS  their keys.
-- ARGV  for each key how many units follow, then their names.
-- Returns for each key how many of its units were held, or its error text.
local reply, position = {}, 1
for index, key in ipairs(KEYS) do
  local units = tonumber(ARGV[position])
  local released = redis.pcall('ZREM', key, unpack(ARGV, position + 1, position + units))
  reply[index], position = type(released) == 'table' and released.err or released, position + 1 + units
end
return reply

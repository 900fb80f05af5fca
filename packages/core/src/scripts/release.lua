-- Ends units that are held.
--
-- KEYS  their keys.
-- ARGV  for each key how many units follow, then their names.
-- Returns for each key how many of its units were held, or its error text if it holds other data.
-- Lua passes at most 8 000 arguments.
local UNITS_PER_COMMAND = 1000
local reply, position = {}, 1
for index, key in ipairs(KEYS) do
  local last, total = position + ARGV[position], 0
  for first = position + 1, last, UNITS_PER_COMMAND do
    local released = redis.pcall('ZREM', key, unpack(ARGV, first, math.min(last, first + UNITS_PER_COMMAND - 1)))
    if type(released) == 'table' then
      -- A server that refuses writes holds the permit, which must end once it takes them again.
      if released.err:sub(1, 9) ~= 'WRONGTYPE' then return released end
      total = released.err
      break
    end
    total = total + released
  end
  reply[index], position = total, last + 1
end
return reply

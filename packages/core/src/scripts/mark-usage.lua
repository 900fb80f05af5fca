-- Marks units as exported, unless another export has marked units of the hour since they were read.
--
-- KEYS  for each hour the key of its usage.
-- ARGV  for each the hour, the units to mark, and those that were marked before.
-- Returns nothing.
for index, key in ipairs(KEYS) do
  local hour, units, before = ARGV[3 * index - 2], ARGV[3 * index - 1], ARGV[3 * index]
  if (call('HGET', key, 'x' .. hour) or '0') == before and call('HEXISTS', key, hour) == 1 then
    call('HINCRBY', key, 'x' .. hour, units)
    -- Redis takes no -0, as which -tonumber('0') travels.
    if call('HINCRBY', key, hour, 0 - units) == 0 then call('HDEL', key, hour) end
  end
end

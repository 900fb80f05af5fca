-- Takes the units of receipts out of the usage of their hours, also where time has given them back. The last KEYS are those of
-- the usage; the last ARGV of each receipt its hour, or -1 where it has none, and its units.
while KEYS[#KEYS]:sub(-5) == ':used' do KEYS[#KEYS] = nil end
local receipt_hours, receipt_units = {}, {}
for index = #KEYS, 1, -1 do
  receipt_units[index], receipt_hours[index] = tonumber(table.remove(ARGV)), tonumber(table.remove(ARGV))
end
for index, key in ipairs(KEYS) do
  if receipt_hours[index] >= 0 then count_usage(usage_key(key), receipt_hours[index], -receipt_units[index]) end
end

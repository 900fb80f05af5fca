-- The last ARGV are the labels of the usage, in the order of its keys, '' for none; and how many they are, which is all or none.
local labels = {}
for index = table.remove(ARGV) + 0, 1, -1 do labels[index] = table.remove(ARGV) end

local function name_usage(usage, label)
  if label and label ~= '' and pcall('HGET', usage, 'label') ~= label then pcall('HSET', usage, 'label', label) end
end

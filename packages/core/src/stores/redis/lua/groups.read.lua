-- Equal groups of a call: `size` claims each, and of each claim which key it is of, where keys repeat.
local size = math.abs(ARGV[1])
local width = 2 + ARGV[3]
local numbers_from = 1 + width * size
local claims, numbers = #ARGV - numbers_from, nil
if claims == 0 then claims = #KEYS else numbers = {} end
for claim = 1, numbers and claims or 0 do numbers[claim] = tonumber(ARGV[numbers_from + claim]) end

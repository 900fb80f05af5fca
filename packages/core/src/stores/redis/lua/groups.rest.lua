-- Where there is no short way, the long way is told the same as it is asked: of each claim which key it is of.
local codes = { size }
for index = 2, numbers_from do codes[index] = ARGV[index] end
for claim = 1, claims do
  local place, number = (claim - 1) % size, numbers and numbers[claim] or claim
  codes[numbers_from + claim] = ((128 + place) * 128 + number - 1) * 32 + (place == size - 1 and 1 or 0)
end
local ARGV = codes

-- A reply of numbers alone: an array.
local function reply_of(numbers)
  return numbers
end

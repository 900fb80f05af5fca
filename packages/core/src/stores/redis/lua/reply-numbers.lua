-- What a script replies with that has only numbers to say: an array of them.
local function reply_of(numbers)
  return numbers
end

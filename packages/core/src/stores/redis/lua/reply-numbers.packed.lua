-- What a script replies with that has only numbers to say, to a client that takes bytes: doubles, one after the other.
-- An array is decoded number by number and digit by digit.
local function reply_of(numbers)
  return struct.pack('<' .. ('d'):rep(#numbers), unpack(numbers))
end

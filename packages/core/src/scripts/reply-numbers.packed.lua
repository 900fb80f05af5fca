-- A reply of numbers alone, for clients that read bytes: doubles, one after the other. The client would decode an array
-- number by number and digit by digit.
local function reply_of(numbers, has_problem)
  if has_problem then return numbers end
  return struct.pack('<' .. ('d'):rep(#numbers), unpack(numbers))
end

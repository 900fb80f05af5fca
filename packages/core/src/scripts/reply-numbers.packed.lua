-- A reply of numbers alone, for clients that read bytes: doubles, one after the other. The client would decode an array
-- number by number and digit by digit. Lua passes at most 8 000 arguments.
local function reply_of(numbers, has_problem)
  if has_problem then return numbers end
  local packed = struct.pack('<' .. ('d'):rep(min(#numbers, 4000)), unpack(numbers, 1, min(#numbers, 4000)))
  for from = 4001, #numbers, 4000 do
    local size = min(#numbers - from + 1, 4000)
    packed = packed .. struct.pack('<' .. ('d'):rep(size), unpack(numbers, from, from + size - 1))
  end
  return packed
end

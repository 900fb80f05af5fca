-- A reply of numbers alone, for clients that read bytes: doubles, one after the other. The client would decode an array
-- number by number and digit by digit.
local function reply_of(numbers, has_problem)
  if has_problem then return numbers end
  local size, packed = #numbers, ''
  if size <= 4000 then return struct.pack('<' .. ('d'):rep(size), unpack(numbers)) end
  -- Lua passes at most 8 000 arguments.
  for from = 1, size, 4000 do
    local last = min(size, from + 3999)
    packed = packed .. struct.pack('<' .. ('d'):rep(last - from + 1), unpack(numbers, from, last))
  end
  return packed
end

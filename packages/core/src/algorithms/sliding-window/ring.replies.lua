-- A reply of numbers and rings: in the place of each ring the bits of its newest slot, the sum of its counts, and the counts.
local function reply_of(items)
  for index, item in ipairs(items) do
    if type(item) == 'string' and item:byte() == RING then
      local numbers = { struct.unpack('>I4I5' .. ('I4'):rep((#item + 1 - COUNTS_AT) / COUNT_BYTES), item, 2) }
      -- `struct.unpack` also returns a position.
      numbers[#numbers] = nil
      items[index] = numbers
    end
  end
  return items
end

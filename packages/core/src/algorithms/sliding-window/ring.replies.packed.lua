-- The same for clients that read bytes: doubles, a 0 in the place of each ring, then the rings as they are stored.
local numbers_of = reply_of
local function reply_of(items, has_problem)
  if has_problem then return items end
  local rings = {}
  for index, item in ipairs(items) do
    if type(item) == 'string' then rings[#rings + 1], items[index] = item, 0 end
  end
  return numbers_of(items) .. table.concat(rings)
end

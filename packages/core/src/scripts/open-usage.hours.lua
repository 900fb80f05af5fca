-- The oldest hour of usage that is open, or nil. All fields are read, up to 3 000.
local function oldest_hour(usage)
  local fields, oldest = pcall('HKEYS', usage), nil
  -- A key of another type belongs to another program.
  if fields.err then return nil end
  for _, field in ipairs(fields) do
    local hour = field:match('^%d+$')
    if hour then oldest = min(oldest or hour + 0, hour + 0) end
  end
  return oldest
end

-- Reads usage. KEYS: those of the usage. Returns the server's microseconds, then for each key its fields with their values.
local reply = { ('%.0f'):format(now_us) }
for index, key in ipairs(KEYS) do
  local fields = pcall('HGETALL', key)
  -- A key of another type belongs to another program.
  reply[index + 1] = fields.err and {} or fields
end
return reply

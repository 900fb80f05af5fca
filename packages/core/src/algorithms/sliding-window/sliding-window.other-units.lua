-- The fast path for all other states that `fast_read` can read. Any other key is left over, unchanged.
local window, is_complete = fast_window(3), others ~= nil
for index = 1, #KEYS do
  local stored, units = others and others[index], (ARGV[units_at + index] or 1) + 0
  local state, room
  if stored then state, room = fast_read(stored, window) end
  if state then
    if room > 0 then fast_charge(KEYS[index], stored, state, min(units, room), window) end
    fast_reply[index + 1] = state
  end
  is_complete = is_complete and fast_reply[index + 1] ~= LEFT_OVER
end

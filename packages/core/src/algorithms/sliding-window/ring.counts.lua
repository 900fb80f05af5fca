-- The counts of a ring that is `age` slots old, as they stand now; their sum; and the newest of them.
local function roll_counts(text, age, total, newer)
  local kept = text:sub(COUNTS_AT, -1 - age * COUNT_BYTES)
  if age == 0 then return kept, total, newer end
  for at = #text + 1 - age * COUNT_BYTES, #text, COUNT_BYTES do total = total - struct.unpack('>I4', text, at) end
  return ('\0'):rep(age * COUNT_BYTES) .. kept, total, 0
end

-- The units that count against a window, of whose oldest slot `covered` ticks still count.
local function used_in(counts, limit, slots, covered, slot)
  local full = 0
  for place = 0, slots - 1 do full = full + min(struct.unpack('>I4', counts, 1 + place * COUNT_BYTES), limit) end
  return full + floor((min(struct.unpack('>I4', counts, 1 + slots * COUNT_BYTES), limit) * covered + slot - 1) / slot)
end

-- A log is stored as 'l', then for each unit the lower 40 bits of its stamp in 5 bytes, oldest first.
local LOG, STAMP_BYTES, STAMP_RANGE = 108, 5, 2 ^ 40

local function pack_stamp(stamp)
  return struct.pack('>I5', stamp % STAMP_RANGE)
end

-- Returns how long ago a stamp is, negative for one that is still to come: of those with these bits the nearest to now.
local function age_of(text, index, now)
  local age = (now - struct.unpack('>I5', text, 2 + (index - 1) * STAMP_BYTES)) % STAMP_RANGE
  return age < STAMP_RANGE / 2 and age or age - STAMP_RANGE
end

-- Returns how many stamps a text holds; nothing for a text that is not a log.
local function log_size(text)
  local size = (#text - 1) / STAMP_BYTES
  if text:byte() == LOG and size == floor(size) then return size end
end

-- A ring that is no integer is stored as 's', the lower 32 bits of the number of its newest slot, the sum of its counts in 5
-- bytes, and its counts in 4 bytes each, newest first.
local RING, COUNT_BYTES, COUNTS_AT, BITS_RANGE = 115, 4, 11, 2 ^ 32

local function pack_head(newest, total)
  return struct.pack('>BI4I5', RING, newest % BITS_RANGE, total)
end

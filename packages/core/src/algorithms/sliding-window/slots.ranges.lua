-- A ring of two slots with counts below 2^20 is stored as one integer: ((newest mod 2^13) * 2^20 + older) * 2^20 + newer.
local UNIT_RANGE, SLOT_RANGE = 2 ^ 20, 2 ^ 13

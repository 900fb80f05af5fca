-- Records texts of a request that several calls admitted.
--
-- KEYS  the key that each text belongs to; then for each the key of its list.
-- ARGV  the texts.
-- Returns nothing.
for number, text in ipairs(ARGV) do record(KEYS[number], KEYS[#ARGV + number], text) end

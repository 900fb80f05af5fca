-- Keeps texts of a request that was admitted by several calls.
--
-- KEYS  the key that each text belongs to; then for each the key of its list.
-- ARGV  the texts.
-- Returns nothing.
for number, text in ipairs(ARGV) do note(KEYS[number], KEYS[#ARGV + number], text) end

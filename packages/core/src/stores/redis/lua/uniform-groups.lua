-- Decides groups of one unit of each of the same policies.
--
-- KEYS  the keys, each once.
-- ARGV  how many policies follow, negative to charge the groups before they are read; the policies; then, where a key
--       repeats, for each claim, group by group, the index of its key.
-- Returns the server's microseconds; then for each key the state found. Or what `consume` describes.
local size, width, is_optimistic = math.abs(ARGV[1]), 2 + ARGV[3], ARGV[1] + 0 < 0
local claims
if #ARGV > 1 + size * width then
  claims = { unpack(ARGV, 2 + size * width) }
  for claim = 1, #claims do claims[claim] = claims[claim] + 0 end
end

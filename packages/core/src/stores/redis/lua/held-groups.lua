-- Decides groups of one unit of each of the same rates, and of one permit.
--
-- KEYS  the keys of the rates, each once; then those of the permits, each once.
-- ARGV  how many policies a group has, the place of the permit's among them, how many keys are of rates, how many groups
--       follow; the policies; for each group the name of its permit; then, where a key repeats, for each claim, group by
--       group, the index of its key.
-- Returns the server's microseconds; then for each key the state found, of permits how many units are held. Or what
-- `consume` describes.
local size, held_place, rate_keys, groups = ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0
local policies_at, names_at = {}, 5
for place = 1, size do policies_at[place], names_at = names_at, names_at + 2 + ARGV[names_at + 1] end
local indexes_at = names_at + groups - 1
local is_repeated = #ARGV > indexes_at

local function key_of(group, place)
  if is_repeated then return ARGV[indexes_at + (group - 1) * size + place] + 0 end
  if place == held_place then return rate_keys + group end
  return (group - 1) * (size - 1) + (place < held_place and place or place - 1)
end

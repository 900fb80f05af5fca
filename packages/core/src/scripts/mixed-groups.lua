-- Decides groups of any claims.
--
-- KEYS  the keys of the claims, each once; then for each recorded claim the key of its list; then those of the usage.
-- ARGV  how many policies follow, the policies, the claims; then for each recorded claim its text.
-- Returns the server's microseconds, then what `consume` tells.
local policies, position = read_policies(ARGV, 2, tonumber(ARGV[1]))
return consume(policies, ARGV, position, { now_us })

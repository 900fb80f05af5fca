-- The policy as the other scripts have it.
local ARGV = { 'tb', 6, 1, ARGV[1], ARGV[2], ARGV[3], 0, ARGV[4] }

-- The policy as the other scripts have it.
local ARGV = { 'fw', 5, 1, ARGV[1], ARGV[1], ARGV[2], ARGV[3] }

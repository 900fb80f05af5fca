-- The policy as the other scripts have it, and what the key was found to hold.
local ARGV, others = { 'sw', 8, ARGV[1], limit, limit, slot, 1, 0, ARGV[4], 0 }, { stored }

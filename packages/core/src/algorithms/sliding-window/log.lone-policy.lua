-- ARGV  tick, limit, slot, slots, whether it is strict. The policy as the other scripts have it:
local ARGV = { 'sw', 8, ARGV[1], ARGV[2], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[1], 1 }

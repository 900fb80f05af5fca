local tick, slot, ring = ARGV[3] + 0, ARGV[6] + 0, ARGV[7] + 1
local limits, reaches = { ARGV[5] + 0 }, { ring }

local tick, slot, ring, limits, reaches = ARGV[3] + 0, ARGV[5] + 0, ARGV[6] + 0, {}, {}
for at = 7, units_at, 2 do limits[#limits + 1], reaches[#reaches + 1] = ARGV[at] + 0, ARGV[at + 1] + 1 end

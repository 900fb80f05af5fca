-- Decides by the general path what the fast path could not.
local claims = {}
for group = 1, groups do
  for place = 1, size do
    claims[#claims + 1] = pack_claim(1, place, key_of(group, place), place == size and LAST or 0)
    if place == held_place then claims[#claims + 1] = ARGV[names_at + group - 1] end
  end
end
return consume(read_policies(5, size), claims, 1, { now_us })

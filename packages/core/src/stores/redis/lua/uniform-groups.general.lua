-- Decides by the general path what the fast path could not.
local codes = {}
for claim = 1, claims and #claims or #KEYS do
  local place = (claim - 1) % size + 1
  codes[claim] = pack_claim(1, place, claims and claims[claim] or claim, place == size and LAST or 0)
end
return consume(read_policies(2, size), codes, 1, { now_us })

-- Decides by the general path what the fast path has left over, and appends it to the reply.
local policies, claims = read_policies(ARGV, 1, 1), {}
for index = 1, #KEYS do
  local units = fast_reply[2 + FAST_WIDTH * (index - 1)] == LEFT_OVER and (ARGV[units_at + index] or 1) or 0
  for _ = 1, units do claims[#claims + 1] = pack_claim(1, 1, index, LAST) end
end
return consume(policies, claims, 1, fast_reply)

-- What the fast paths know of a policy whose rate divides its window. Its numbers begin at `at` in ARGV.
local function fast_policy(at)
  local limit, quotient, tolerance = ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 1] * ARGV[at + 3]
  return quotient, tolerance, ceil(quotient * limit / 64)
end

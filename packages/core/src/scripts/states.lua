-- Reads states for operators, and writes nothing.
--
-- KEYS  the keys, and behind them those of the numbers beside their states.
-- ARGV  for each key its policy.
-- Returns the time in microseconds, then for each key its state as the TypeScript twin has it: 'log' and the times of its
-- units, 'permits' and each unit with its time, or its numbers. Without a key the state is empty. For a key that cannot be
-- read it is an error text. Then for each key of numbers its text.
local function state_of(one, two)
  if type(one) ~= 'table' then return { one, two } end
  if one.stamps then return { 'log', one.stamps } end
  if one.key then return { 'log', call('LRANGE', one.key, 0, -1) } end
  -- Redis cuts the fraction of a number.
  for place, number in ipairs(one) do one[place] = ('%.17g'):format(number) end
  return one
end

local reply, position, policies, index = { now_us }, 1, nil, 0
while position <= #ARGV do
  index = index + 1
  local key = KEYS[index]
  policies, position = read_policies(ARGV, position, 1)
  local policy = policies[1]
  local one, two, problem = policy.algorithm.fetch(key, policy.now, policy)
  reply[index + 1] = problem or (policy.algorithm.state_of or state_of)(one, two, policy)
end
for place = index + 1, #KEYS do
  local text = pcall('GET', KEYS[place])
  reply[place + 1] = type(text) == 'string' and text or ''
end
return reply

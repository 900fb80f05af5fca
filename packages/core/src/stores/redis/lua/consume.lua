-- Decides groups of claims, in order, each all or nothing. Every key is read once and written at most once.
--
-- KEYS  the keys of the claims, each once; then for each recorded claim the key of its list.
-- ARGV  1  how many policies follow
--       then for each: its algorithm's letters, how many numbers follow, the numbers (tick, capacity, its own)
--       then for each claim a number: ((cost * 2^7 + policy - 1) * 2^7 + key - 1) * 2^5 + flags, where flags are
--         1 last of its group, 2 shadow, 4 counts denied requests, 8 peek, 16 recorded
--       then for each recorded claim its text.
-- Returns the server's microseconds, then for each group in order one error text, or for each of its claims: remaining,
--       retry_after (-1: never), replenish_after, reset_after in ticks of its policy; then the delay of a leaky bucket,
--       or the limit of the binding window of several; then what was charged, where denied requests count.
local policies = {}
local position = 2
for index = 1, tonumber(ARGV[1]) do
  local algorithm, size, numbers = algorithms[ARGV[position]], tonumber(ARGV[position + 1]), {}
  for offset = 1, size do numbers[offset] = tonumber(ARGV[position + 1 + offset]) end
  local policy = algorithm.policy(numbers)
  policy.algorithm, policy.tick, policy.capacity = algorithm, numbers[1], numbers[2]
  policy.now = floor(now_us / policy.tick)
  policies[index] = policy
  position = position + 2 + size
end

local arguments = #ARGV
local recorded, prolonged, texts = {}, {}, 0

local size, problem, admitted, is_text = 0, nil, nil, false
local notes = {}
while position + texts <= arguments do
  local code = tonumber(ARGV[position])
  local flags = code % 32
  code = (code - flags) / 32
  local key = code % 128
  code = (code - key) / 128
  local index = code % 128
  key = key + 1
  size = size + 1
  keys[size], claimed_by[size], costs[size] = key, policies[index + 1], (code - index) / 128
  shadow[size], count_denied[size] = flags % 4 >= 2, flags % 8 >= 4
  if not fetched[key] then fetch(key, claimed_by[size]) end
  problem = problem or problems[key]
  if flags >= 16 then
    texts = texts + 1
    notes[texts] = size
  end
  if flags % 2 == 1 then
    if problem then
      replies = replies + 1
      reply[replies], is_text = problem, true
    elseif flags % 16 >= 8 then
      peek_group(size)
    else
      admitted = consume_group(size)
    end
    for text, claim in pairs(notes) do
      if not problem and admitted and charges[claim] > 0 then recorded[text] = keys[claim] end
      if count_denied[claim] and not recorded[text] then prolonged[text] = keys[claim] end
    end
    if texts > 0 then notes = {} end
    size, problem, admitted = 0, nil, nil
  end
  position = position + 1
end

for key = 1, #KEYS - texts do
  local policy = saved_by[key]
  if policy then
    policy.algorithm.save(KEYS[key], first[key], second[key], kept_first[key], kept_second[key], policy)
  end
end

for text, key in pairs(prolonged) do
  if saved_by[key] then prolong(KEYS[key], KEYS[#KEYS - texts + text]) end
end

for text, key in pairs(recorded) do
  note(KEYS[key], KEYS[#KEYS - texts + text], ARGV[arguments - texts + text])
end
if is_text then return reply end
return reply_of(reply)

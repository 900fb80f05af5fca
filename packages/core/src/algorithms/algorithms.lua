-- A state is two values, which each algorithm names. It goes through the steps of the TypeScript twin.
local NEVER = -1
local algorithms = {}

-- Reads policies from ARGV or another list: of each the code of its algorithm, how many numbers follow, then tick, capacity
-- and its own numbers. Returns them, and the position after them.
local function read_policies(list, position, count)
  local policies = {}
  for index = 1, count do
    local algorithm, size, numbers = algorithms[list[position]], list[position + 1], {}
    for place = 1, size do numbers[place] = tonumber(list[position + 1 + place]) end
    local policy = algorithm.policy(numbers)
    policy.algorithm, policy.tick, policy.capacity = policy.algorithm or algorithm, numbers[1], numbers[2]
    policy.now = floor(now_us / policy.tick)
    policies[index], position = policy, position + 2 + size
  end
  return policies, position
end

-- The text under a key, or false; and the error of a key of another type.
local function fetch_text(key)
  local text = pcall('GET', key)
  if type(text) ~= 'table' then return text end
  -- A key of another type fails its own requests. Any other error, such as a missing right, ends the call.
  if text.err:sub(1, 9) ~= 'WRONGTYPE' then error(text) end
  return false, text.err
end

-- The integer of a text, or nil when INCRBY would reject it. To Lua 'inf', '0x10', '3.5' and '007' are numbers, too.
local function integer(text)
  if text == '0' or (#text <= 16 and text:find('^[1-9]%d*$')) then return tonumber(text) end
end

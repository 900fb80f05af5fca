-- The key of the numbers beside a state follows its own.
local function number_key(key)
  return KEYS[key + 1]
end

-- The integers under keys, and 0 where there is no key. False for one that INCRBY would reject.
local function read_integers(keys)
  local values = call('MGET', unpack(keys))
  for index = 1, #keys do
    local text = values[index]
    if text then
      values[index] = text:find('^[1-9]%d*$') and #text <= 16 and text + 0
    else
      -- MGET reads a key of another type as none.
      values[index] = call('PEXPIRETIME', keys[index]) == -2 and 0
    end
  end
  return values
end

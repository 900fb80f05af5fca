-- Keeps a text with a key, in a list that lives as long as the key: the newest twenty.
local function note(key, list, text)
  -- A list that is none is somebody else's, and a text is not worth failing for.
  if type(pcall('LPUSH', list, text)) ~= 'number' then return end
  call('LTRIM', list, 0, 19)
  call('PEXPIREAT', list, call('PEXPIRETIME', key))
end

-- Lets the list live on with a key that was kept without a text.
local function prolong(key, list)
  if type(pcall('LLEN', list)) == 'number' then call('PEXPIREAT', list, call('PEXPIRETIME', key), 'GT') end
end

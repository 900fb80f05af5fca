-- Records a text with a key: in a list of the newest twenty, which lives as long as the key.
local function record(key, list, text)
  -- A key of another type belongs to another program. A text is not worth failing a request.
  if type(pcall('LPUSH', list, text)) ~= 'number' then return end
  call('LTRIM', list, 0, 19)
  call('PEXPIREAT', list, call('PEXPIRETIME', key))
end

-- Lets a list live as long as its key, which was charged without a text.
local function extend_list(key, list)
  if type(pcall('LLEN', list)) == 'number' then call('PEXPIREAT', list, call('PEXPIRETIME', key), 'GT') end
end

-- What algorithms begin with. A state is two values, which each algorithm names; it goes through the steps that its
-- TypeScript twin has.
local NEVER = -1
local algorithms = {}

-- The text under a key, or false; and the error that kept it from being read.
local function fetch_text(key)
  local text = pcall('GET', key)
  if type(text) ~= 'table' then return text end
  -- For a key of another type its requests alone are at fault. All else, such as a right that is missing, ends the call.
  if text.err:sub(1, 9) ~= 'WRONGTYPE' then error(text) end
  return false, text.err
end

-- The integer of a text, or nil for what is none to INCRBY: 'inf', '0x10', '3.5' and '007' are numbers to Lua alone.
local function integer(text)
  if text == '0' or (#text <= 16 and text:find('^[1-9]%d*$')) then return tonumber(text) end
end

-- What was reported of a window lies beside it, in its slot of a Cluster: an integer as that of the window, whose count is the units
-- of the highest mark.
local function reported_key(key)
  return key:find('{', 1, true) and key .. ':reported' or '{' .. key .. '}:reported'
end

-- The units of the highest mark that was reported in a window, or 0. `window` is its integer with a count of 0.
local function reported_in(key, window)
  -- A key of another type belongs to another program, and a notice is not worth failing a request.
  local text = pcall('GET', reported_key(key))
  local units = (type(text) == 'string' and tonumber(text) or 0) - window
  return units > 0 and units < 2 ^ 32 and units or 0
end

-- `expires_at` in milliseconds.
local function report(key, reported, expires_at)
  pcall('SET', reported_key(key), reported, 'PXAT', expires_at)
end

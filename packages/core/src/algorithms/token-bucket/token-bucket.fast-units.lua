-- Fast path for units: reads all keys at once, then charges each key as many units as fit.
-- Applies to a key without a time and to one whose time is not ahead. Any other key is left over, unchanged.
local quotient, tolerance, grain = fast_policy(3)
local texts, latest, others = call('MGET', unpack(KEYS)), now_us + tolerance, nil
for index = 1, #KEYS do
  local text = texts[index]
  local time, is_done = text and tonumber(text) or 0, false
  local from = time > now_us and time or now_us
  if time >= 0 and time <= latest then
    local after = from + quotient * (ARGV[units_at + index] or 1)
    if after > latest then after = from + floor((latest - from) / quotient) * quotient end
    if after == from then
      is_done = text:find('^[1-9]%d*$')
    else
      -- INCRBY decides whether the text is an integer.
      if text then is_done = pcall('INCRBY', KEYS[index], after - time) == after end
      if not text or time < after - after % grain then
        others = others or {}
        others[index] = after
      end
    end
  end
  fast_reply[index + 1] = (is_done or not text) and from - now_us or LEFT_OVER
  is_complete = is_complete and is_done and not others
end

-- Groups of a unit each of the same fixed windows, none by the clock, as long as what is found is what is mostly there.
-- All are read by one MGET, so the ends are all that is read key by key.
local size = tonumber(ARGV[1])
local limits, latest = {}, {}
for place = 1, size do
  limits[place] = tonumber(ARGV[7 * place - 1])
  latest[place] = ceil((now_us + ARGV[7 * place]) / 1000)
end

local texts, counts, charged, ends, is_new, distinct = call('MGET', unpack(KEYS)), {}, {}, {}, {}, {}
local found, usual, place = {}, true, 0
for index = 1, #KEYS do
  local key, text = KEYS[index], texts[index]
  place = place % size + 1
  if not counts[key] then
    local count, expires = 0, call('PEXPIRETIME', key)
    if text then
      count = text:find('^%d+$') and tonumber(text)
      usual = usual and count and count < 4294967296 and (count == 0 or text:byte() ~= 48)
        and expires * 1000 > now_us and expires <= latest[place]
    else
      -- A key of another type is read as none, and has a time to live or none.
      usual, is_new[key] = usual and expires == -2, true
      expires = latest[place]
    end
    local number = #distinct + 1
    distinct[number], counts[key], charged[key], ends[key] = key, count, 0, expires
    found[2 * number - 1], found[2 * number] = count, expires
  end
end

if usual then
  for first = 0, #KEYS - 1, size do
    local admit = true
    for claim = 1, size do
      local key = KEYS[first + claim]
      if counts[key] + charged[key] >= limits[claim] then admit = false end
    end
    if admit then
      for claim = 1, size do
        local key = KEYS[first + claim]
        charged[key] = charged[key] + 1
      end
    end
  end
  for number = 1, #distinct do
    local key = distinct[number]
    local units = charged[key]
    if units == 0 then
      -- A denial writes nothing.
    elseif is_new[key] then
      call('SET', key, units, 'PXAT', ends[key])
    elseif units == 1 then
      call('INCR', key)
    else
      call('INCRBY', key, units)
    end
  end
  return { now_us, found }
end

-- The long way is told the same as it is asked: each key once, and of each claim which it is of.
local numbers, codes = {}, {}
for number = 1, #distinct do numbers[distinct[number]] = number - 1 end
for index = 1, 1 + 7 * size do codes[index] = ARGV[index] end
for index = 1, #KEYS do
  local claim = (index - 1) % size
  codes[#codes + 1] = ((128 + claim) * 128 + numbers[KEYS[index]]) * 32 + (claim == size - 1 and 1 or 0)
end
local KEYS, ARGV = distinct, codes

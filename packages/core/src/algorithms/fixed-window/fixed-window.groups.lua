-- Groups of a unit each of the same fixed windows, none by the clock, as long as what is found is what is mostly there.
-- All are read by one MGET, so the ends are all that is read key by key. Tells of each key count * span + milliseconds
-- left.
local size = tonumber(ARGV[1])
local numbers_from = 1 + 7 * size
local claims = #ARGV > numbers_from and #ARGV - numbers_from or #KEYS
local limits, latest, spans, now_ms = {}, {}, {}, floor(now_us / 1000)
for place = 1, size do
  limits[place] = tonumber(ARGV[7 * place - 1])
  latest[place], spans[place] = ceil((now_us + ARGV[7 * place]) / 1000), ceil(ARGV[7 * place] / 1000) + 2
end

-- Where keys repeat, each claim says which is its own.
local texts, numbers, counts, charged = call('MGET', unpack(KEYS)), {}, {}, {}
local found, ends, usual, place = {}, {}, true, 0
for claim = 1, claims do
  local number = tonumber(ARGV[numbers_from + claim]) or claim
  place = place % size + 1
  numbers[claim] = number
  if not counts[number] then
    local text, count, expires = texts[number], 0, call('PEXPIRETIME', KEYS[number])
    if text then
      count = text:find('^%d+$') and tonumber(text)
      usual = usual and count and count <= limits[place] and (count == 0 or text:byte() ~= 48)
        and expires * 1000 > now_us and expires <= latest[place]
    else
      -- A key of another type is read as none, and has a time to live or none.
      usual = usual and expires == -2
      expires = latest[place]
    end
    counts[number], charged[number] = count or 0, 0
    found[number], ends[number] = counts[number] * spans[place] + expires - now_ms, expires
  end
end

if usual then
  for first = 0, claims - 1, size do
    local admit = true
    for claim = 1, size do
      local number = numbers[first + claim]
      if counts[number] + charged[number] >= limits[claim] then admit = false end
    end
    if admit then
      for claim = 1, size do
        local number = numbers[first + claim]
        charged[number] = charged[number] + 1
      end
    end
  end
  for number = 1, #KEYS do
    local key, units = KEYS[number], charged[number]
    if units == 0 then
      -- A denial writes nothing.
    elseif not texts[number] then
      call('SET', key, units, 'PXAT', ends[number])
    elseif units == 1 then
      call('INCR', key)
    else
      call('INCRBY', key, units)
    end
  end
  return { now_us, found }
end

-- The long way is told the same as it is asked: of each claim which key it is of.
local codes = {}
for index = 1, numbers_from do codes[index] = ARGV[index] end
for claim = 1, claims do
  local place = (claim - 1) % size
  codes[#codes + 1] = ((128 + place) * 128 + numbers[claim] - 1) * 32 + (place == size - 1 and 1 or 0)
end
local ARGV = codes

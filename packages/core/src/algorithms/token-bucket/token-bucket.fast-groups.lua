-- Groups of a unit each of the same buckets whose rates divide their windows, as long as what is found is what is mostly
-- there. All are read by one MGET. Tells of each key how far its time was ahead of now: what is not refilled.
local keys, arguments, tonumber = KEYS, ARGV, tonumber
local quotients, tolerances, grains, usual = {}, {}, {}, true
for place = 1, size do
  local capacity, limit, quotient = arguments[7 * place - 2], arguments[7 * place - 1], arguments[7 * place] + 0
  -- A 64th of the window: a key outlives all times of a grain, by a refill.
  quotients[place], tolerances[place], grains[place] = quotient, capacity * quotient, ceil(quotient * limit / 64)
  usual = usual and arguments[7 * place + 1] == '0'
end

-- Of each key the place of its claims, its time as it was found, and as it stands.
local texts, places, found, times = usual and call('MGET', unpack(keys)), {}, {}, {}
for first = 0, usual and claims - 1 or -1, size do
  local admit = true
  for place = 1, size do
    local number = numbers and numbers[first + place] or first + place
    local time, latest = times[number], now_us + tolerances[place]
    if not time then
      local text = texts[number]
      if text then
        -- What INCRBY takes for an integer.
        time = text:find('^[1-9]%d*$') and tonumber(text) or -1
        usual = usual and time >= 0 and time <= latest
      else
        -- A key of another type was read as none.
        time = 0
        usual = usual and call('PEXPIRETIME', keys[number]) == -2
      end
      places[number], found[number] = place, time
      if time < now_us then time = now_us end
      times[number] = time
    end
    if time + quotients[place] > latest then admit = false end
  end
  for place = 1, admit and size or 0 do
    local number = numbers and numbers[first + place] or first + place
    times[number] = times[number] + quotients[place]
  end
end

if usual then
  -- As long from the start as it will be.
  local told = { now_us, unpack(keys) }
  for number = 1, #keys do
    local key, place, before, time = keys[number], places[number], found[number], times[number]
    told[number + 1] = max(0, before - now_us)
    if time > before and time > now_us then
      local ends = time - time % grains[place] + grains[place]
      local expires = ceil((ends + tolerances[place] + 2) / 1000)
      if before == 0 then
        call('SET', key, time, 'PXAT', expires)
      else
        call('INCRBY', key, time - before)
        -- It is looked at how long it lives when a time enters another grain; this also heals a TTL that is missing or short.
        if before < ends - grains[place] and call('PEXPIRETIME', key) * 1000 < ends then call('PEXPIREAT', key, expires) end
      end
    end
  end
  return reply_of(told)
end

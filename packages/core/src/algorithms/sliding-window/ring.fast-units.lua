-- Fast path for units: the sum of a ring proves that units fit, and only the newest count is written within a slot.
-- Applies when all units of all keys fit by these sums. Else nothing is changed, and the general path decides.
-- Needs tick, slot, ring; for each window its limit and how many of the newest counts it may hold.
-- Returns the server's microseconds, negative, then for each key the text found, or as many zero bytes; as numbers where the
-- reply is an array: the bits of the newest slot, the sum and the counts.
local newest, least = floor(floor(now_us / tick) / slot), min(unpack(limits))
local size, format = COUNTS_AT - 1 + ring * COUNT_BYTES, '>I4I5' .. ('I4'):rep(ring)
local texts, heads, bodies, zeros = call('MGET', unpack(KEYS)), {}, {}, ('\0'):rep(size)
for index = 1, #KEYS do
  local text, units, total, newer, counts = texts[index], (ARGV[units_at + index] or 1) + 0, 0, 0, nil
  if text then
    if #text ~= size or text:byte() ~= RING then break end
    local bits
    bits, total, newer = struct.unpack('>I4I5I4', text, 2)
    local age = (newest - bits) % BITS_RANGE
    if age >= BITS_RANGE / 2 then break end
    if age > 0 then
      newer = 0
      for place = max(0, ring - age), ring - 1 do
        total = total - struct.unpack('>I4', text, COUNTS_AT + place * COUNT_BYTES)
      end
      counts = (zeros .. text:sub(COUNTS_AT)):sub(size + 1 - min(age, ring) * COUNT_BYTES, -1 - min(age, ring) * COUNT_BYTES)
    end
  else
    counts = zeros:sub(COUNTS_AT)
  end
  if total + units > least then
    local is_fitting = true
    for place, limit in ipairs(limits) do
      local sum, from = total, counts or text:sub(COUNTS_AT)
      if sum + units > limit and reaches[place] < ring then
        sum = 0
        for count = 0, reaches[place] - 1 do sum = sum + struct.unpack('>I4', from, 1 + count * COUNT_BYTES) end
      end
      is_fitting = is_fitting and sum + units <= limit
    end
    if not is_fitting then break end
  end
  heads[index], bodies[index] = struct.pack('>I5I4', total + units, newer + units), counts
end

-- MGET reads a key of another type as none.
local is_fast = #heads == #KEYS
for index = 1, is_fast and #KEYS or 0 do
  if not texts[index] and call('PEXPIRETIME', KEYS[index]) ~= -2 then is_fast = false end
end
if is_fast then
  local expires = ('%.0f'):format(ceil((newest + ring) * slot * tick / 1000))
  for index, key in ipairs(KEYS) do
    if bodies[index] then
      local head = pack_head(newest, 0):sub(1, 5) .. heads[index]
      call('SET', key, head .. bodies[index]:sub(1 + COUNT_BYTES), 'PXAT', expires)
    else
      call('SETRANGE', key, 5, heads[index])
    end
    texts[index] = texts[index] or zeros
  end
  if type(reply_of({})) == 'string' then return struct.pack('<d', -now_us) .. table.concat(texts) end
  fast_reply[1] = -now_us
  for _, text in ipairs(texts) do
    for _, number in ipairs({ struct.unpack(format, text, 2) }) do fast_reply[#fast_reply + 1] = number end
    -- `struct.unpack` also returns a position.
    fast_reply[#fast_reply] = nil
  end
  return fast_reply
end
for index = 1, #KEYS do fast_reply[index + 1] = LEFT_OVER end
is_complete = false

-- Charges all groups before they are read, and takes all back unless all of them fit. That is one command a key. Nothing is
-- changed when a group does not fit or a window is not current.
if is_optimistic then
  local units, keys_of, fast_reply = {}, nil, { now_us, unpack(KEYS) }
  if claims then
    keys_of = {}
    for claim, index in ipairs(claims) do
      local place = (claim - 1) % size + 1
      keys_of[place] = keys_of[place] or {}
      if not units[index] then table.insert(keys_of[place], index) end
      units[index] = (units[index] or 0) + 1
    end
  end

  local is_charged = true
  for place = 1, size do
    local limit, low, high, wrapped, empty, expires = fast_policy(4 + width * (place - 1))
    local own = keys_of and keys_of[place]
    for number = 1, own and #own or #KEYS / size do
      local index = own and own[number] or (number - 1) * size + place
      local key, count = KEYS[index], units[index] or 1
      local value = count == 1 and pcall('INCR', key) or pcall('INCRBY', key, count)
      local found = type(value) == 'number' and value - count
      if found == 0 and (wrapped == 0 or call('PEXPIRETIME', key) == -1) then
        -- There was no key, or nothing was charged in another window.
        call('SET', key, empty + count, 'PXAT', expires)
      elseif found and not (found >= low and found < high or found > 0 and found < wrapped) then
        call('DECRBY', key, count)
        found = false
      end
      if found then fast_reply[index + 1] = found end
      if not found or found % COUNT_RANGE + count > limit then
        is_charged = false
        break
      end
    end
    if not is_charged then break end
  end
  if is_charged then return reply_of(fast_reply) end

  for index, key in ipairs(KEYS) do
    local found = fast_reply[index + 1]
    if found == 0 then call('UNLINK', key) elseif found ~= key then call('DECRBY', key, units[index] or 1) end
  end
end

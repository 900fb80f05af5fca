-- Fast path for groups with a permit: reads each key, decides the groups in order, and writes each charged key once.
-- Applies when every rate can be read by `fast_read`, and no unit that is held is ahead of the clock. Else it returns
-- nothing, with nothing changed.
local function fast_held_groups()
  local values = rate_keys > 0 and read_integers({ unpack(KEYS, 1, rate_keys) })
  local held_at, now, windows = policies_at[held_place], floor(now_us / 1000), {}
  local limit, latest = ARGV[held_at + 4] + 0, now + ARGV[held_at + 5]
  local after_now, until_ = '(' .. now, ('%.0f'):format(latest)
  local reply, rooms, window_of, lapsed = { now_us }, {}, {}, {}
  -- For each key the units that it is charged: of rates how many, of permits the arguments of ZADD.
  local charged = {}
  for place = 1, size do windows[place] = place ~= held_place and fast_window(policies_at[place] + 2) end

  for group = 1, groups do
    local is_admitted, indexes = true, {}
    for place = 1, size do
      local index, window = key_of(group, place), windows[place]
      indexes[place] = index
      if not rooms[index] then
        local found, room
        if not window then
          local key = KEYS[index]
          local units = pcall('ZCARD', key)
          if units == 0 then
            found = 0
          elseif type(units) == 'number' then
            found = call('ZCOUNT', key, after_now, until_)
            lapsed[index] = found < units
            -- The others have lapsed, or are ahead.
            if lapsed[index] and call('ZCOUNT', key, '(' .. until_, '+inf') > 0 then return end
          end
          room = found and limit - found
        elseif values[index] then
          found, room = fast_read(values[index], window)
        end
        if not found then return end
        reply[index + 1], rooms[index], window_of[index] = found, room, window
        charged[index] = window and 0 or {}
      end
      if rooms[index] <= 0 then is_admitted = false end
    end
    for place = 1, is_admitted and size or 0 do
      local index = indexes[place]
      rooms[index] = rooms[index] - 1
      if place == held_place then
        local units = charged[index]
        local last = #units
        units[last + 1], units[last + 2] = until_, ARGV[names_at + group - 1]
      else
        charged[index] = charged[index] + 1
      end
    end
  end

  for index = 1, rate_keys do
    local units = charged[index]
    if units > 0 then fast_charge(KEYS[index], values[index], reply[index + 1], units, window_of[index]) end
  end
  for index = rate_keys + 1, #KEYS do
    local key, units = KEYS[index], charged[index]
    if #units > 0 then
      if lapsed[index] then call('ZREMRANGEBYSCORE', key, '-inf', now) end
      call('ZADD', key, unpack(units))
      call('PEXPIREAT', key, until_)
    end
  end
  return reply
end

local fast_reply = fast_held_groups()
-- The general path below is not even defined when it is not needed.
if fast_reply then return reply_of(fast_reply) end

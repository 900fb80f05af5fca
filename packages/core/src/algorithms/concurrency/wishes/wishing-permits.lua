-- The wishes of parties, beside the units of a limit.
-- Stored as: 'party@since' of each wish in the set of units, with -(until * 2^10 + cost).
local COST_RANGE, MOST_WISHES = 1024, 100

-- The wishes that are not over. A clock that has stepped back has left some ahead, which do not count.
local function wishes_of(state, now, policy)
  if state.wishes then return state.wishes end
  state.wishes, state.changed_wishes = {}, {}
  local stored = call('ZRANGE', state.set, '-inf', -((now + 1) * COST_RANGE), 'BYSCORE', 'WITHSCORES')
  for place = 1, #stored, 2 do
    local party, since = stored[place]:match('^(.+)@(%d+)$')
    local number = -tonumber(stored[place + 1])
    local cost = number % COST_RANGE
    local until_ = (number - cost) / COST_RANGE
    if party then
      local lasts = party:sub(1, 1) == '~' and MARK_LASTS or WISH_LASTS * policy.retry
      local is_ahead = until_ > now + lasts
      state.wishes[party] = { since = tonumber(since), until_ = until_, cost = cost, stored = stored[place], is_ahead = is_ahead }
    end
  end
  return state.wishes
end

-- When the party was denied first, since it was below its share.
local function since_of(state, now, policy, party)
  local wish = wishes_of(state, now, policy)[party.name]
  return wish and not wish.is_ahead and min(wish.since, now) or now
end

local function change_wish(state, now, policy, party, since, cost)
  local wishes = wishes_of(state, now, policy)
  local known = wishes[party.name]
  if not since then
    if known then wishes[party.name], state.changed_wishes[party.name] = nil, known.stored or false end
    return
  end
  local changed = state.changed_wishes[party.name]
  local stored = known and known.stored or changed
  wishes[party.name] = { since = since, until_ = now + party.lasts, cost = min(cost, COST_RANGE - 1), stored = stored or nil }
  state.changed_wishes[party.name] = stored or false
end

-- Beyond 100 wishes of a kind the one is forgotten that ends first.
local function forget_most(key, wishes, kind)
  local count, last, first = 0, nil, nil
  for name, wish in pairs(wishes) do
    if name:sub(1, 1) == kind then
      count = count + 1
      if not first or wish.until_ < first.until_ or (wish.until_ == first.until_ and name < last) then last, first = name, wish end
    end
  end
  if count <= MOST_WISHES then return end
  call('ZREM', key, last .. '@' .. ('%.0f'):format(first.since))
  wishes[last] = nil
end

local function save_wishes(key, state, policy)
  for name, stored in pairs(state.changed_wishes or {}) do
    local wish = state.wishes[name]
    local member = wish and name .. '@' .. ('%.0f'):format(wish.since)
    if stored and stored ~= member then call('ZREM', key, stored) end
    if wish then
      call('ZADD', key, -(wish.until_ * COST_RANGE + wish.cost), member)
      forget_most(key, state.wishes, name:sub(1, 1))
    end
  end
  call('ZREMRANGEBYSCORE', key, '(' .. ('%.0f'):format(-((policy.now + 1) * COST_RANGE)), '(0')
  if state.live == 0 then call('PEXPIREAT', key, policy.now + policy.hold) end
end

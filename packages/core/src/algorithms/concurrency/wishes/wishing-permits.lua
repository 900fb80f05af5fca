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
      local kind = party:sub(1, 1)
      local id, weight = party_in(kind, party)
      state.wishes[party] = {
        kind = kind, id = id, weight = weight, since = tonumber(since), until_ = until_, cost = cost, stored = stored[place],
        is_ahead = until_ > now + (kind == '~' and MARK_LASTS or WISH_LASTS * policy.retry),
      }
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
  wishes[party.name] = {
    kind = party.kind, id = party.id, weight = party.weight, since = since, until_ = now + party.lasts,
    cost = min(cost, COST_RANGE - 1), stored = stored or nil,
  }
  state.changed_wishes[party.name] = stored or false
end

-- Beyond 100 wishes of a kind the one is forgotten that ends first.
local function forget_most(key, wishes, kind)
  local count, last, first = 0, nil, nil
  for name, wish in pairs(wishes) do
    if wish.kind == kind then
      count = count + 1
      if not first or wish.until_ < first.until_ or (wish.until_ == first.until_ and name < last) then last, first = name, wish end
    end
  end
  if count <= MOST_WISHES then return end
  call('ZREM', key, last .. '@' .. ('%.0f'):format(first.since))
  wishes[last] = nil
end

local function save_wishes(key, state, policy)
  local removed, saved, kinds = {}, {}, {}
  for name, stored in pairs(state.changed_wishes) do
    local wish = state.wishes[name]
    local member = wish and name .. '@' .. ('%.0f'):format(wish.since)
    if stored and stored ~= member then removed[#removed + 1] = stored end
    if wish then
      saved[#saved + 1] = -(wish.until_ * COST_RANGE + wish.cost)
      saved[#saved + 1], kinds[#kinds + 1] = member, wish.kind
    end
  end
  if #removed > 0 then call('ZREM', key, unpack(removed)) end
  if #saved > 0 then call('ZADD', key, unpack(saved)) end
  for _, kind in ipairs(kinds) do forget_most(key, state.wishes, kind) end
  call('ZREMRANGEBYSCORE', key, '(' .. ('%.0f'):format(-((policy.now + 1) * COST_RANGE)), '(0')
  if state.live == 0 then call('PEXPIREAT', key, policy.now + policy.hold) end
end

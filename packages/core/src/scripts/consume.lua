-- A claim is one integer: ((cost * 2^7 + policy - 1) * 2^7 + key - 1) * 2^6 + flags. `policy` and `key` are indexes. LONG_COST stands
-- for a cost that follows its claim.
local INDEX_RANGE, FLAG_RANGE, LAST, LONG_COST = 128, 64, 1, 2 ^ 33 - 1

local function pack_claim(cost, policy, key, flags)
  return ((cost * INDEX_RANGE + policy - 1) * INDEX_RANGE + key - 1) * FLAG_RANGE + flags
end

local function unpack_claim(claim)
  local flags = claim % FLAG_RANGE
  local indexes = (claim - flags) / FLAG_RANGE
  local key = indexes % INDEX_RANGE
  indexes = (indexes - key) / INDEX_RANGE
  local policy = indexes % INDEX_RANGE
  return (indexes - policy) / INDEX_RANGE, policy + 1, key + 1, flags
end

local known_flags = {}

local function flags_of(flags)
  known_flags[flags] = known_flags[flags] or {
    is_last = flags % 2 >= LAST,
    is_shadow = flags % 4 >= 2,
    charges_all = flags % 8 >= 4,
    is_peek = flags % 16 >= 8,
    is_recorded = flags % 32 >= 16,
    charges_denied = flags >= 32,
  }
  return known_flags[flags]
end

-- What tells a client the state that was found under a key: how many numbers follow and their form, then these. Forms: 0 is the
-- state itself, 1 the times of a log, 2 how many times a list has, then indexes and times in it, and 3 units that are held.
local function state_told(one, two, policy)
  local algorithm = policy.algorithm
  if type(one) ~= 'table' then return 0, algorithm.state_of and algorithm.state_of(one, two) or { one, two } end
  if one.stamps then return 1, one.stamps end
  if one.set then return 3, { one.counted } end
  if not one.key then return 0, one end
  local numbers, places = { one.live }, {}
  for index in pairs(one.known) do places[#places + 1] = index end
  table.sort(places, function(one, other) return one < other end)
  for _, index in ipairs(places) do
    numbers[#numbers + 1] = index
    numbers[#numbers + 1] = one.known[index]
  end
  return 2, numbers
end

local function tell(key, reply)
  if problems[key] then
    reply[#reply + 1] = problems[key]
    return true
  end
  local form, numbers = state_told(stored_first[key], stored_second[key], fetched[key])
  reply[#reply + 1] = #numbers * 4 + form
  -- Redis cuts the fraction of a number.
  for _, number in ipairs(numbers) do reply[#reply + 1] = number % 1 == 0 and number or ('%.17g'):format(number) end
end

-- Decides groups of claims, in order, each all or nothing. Every key is read once and written at most once.
-- `claims` holds them from `position` on, each claim of units that are held followed by the name of its permit; then for
-- each recorded claim its text, whose list is among the last KEYS.
-- Appends to `reply` for each key, in the order of their first claims, its error text or what `tell` tells of its state; then for
-- each claim of permits for which requests wait 1 where it may take its units.
local function consume(all_policies, claims, position, reply)
  local size, problem, has_problem = 0, nil, false
  local last_position, texts = #claims, 0
  local noted, recorded, extended = {}, {}, {}
  while position + texts <= last_position do
    local cost, policy, key, flags = unpack_claim(tonumber(claims[position]))
    flags = flags_of(flags)
    if cost == LONG_COST then
      position = position + 1
      cost = tonumber(claims[position])
    end
    size = size + 1
    keys[size], policies[size], costs[size] = key, all_policies[policy], cost
    shadow[size], charges_all[size], charges_denied[size] = flags.is_shadow, flags.charges_all, flags.charges_denied
    if policies[size].is_held and not flags.is_peek then
      position = position + 1
      permits[size] = claims[position]
    else
      permits[size] = nil
    end
    if not fetched[key] then fetch(key, policies[size]) end
    problem = problem or problems[key]
    if flags.is_recorded then
      texts = texts + 1
      noted[texts] = size
    end
    if flags.is_last then
      local is_admitted = false
      if not problem and flags.is_peek then
        for claim = 1, size do read_and_wait(claim) end
      elseif not problem then
        is_admitted = consume_group(size)
      end
      for text, claim in pairs(noted) do
        if is_admitted and charges[claim] > 0 then recorded[text] = keys[claim]
        elseif charges_all[claim] or charges_denied[claim] then extended[text] = keys[claim] end
      end
      if texts > 0 then noted = {} end
      size, problem = 0, nil
    end
    position = position + 1
  end

  for _, key in ipairs(told) do has_problem = tell(key, reply) or has_problem end
  for _, answer in ipairs(may_take) do reply[#reply + 1] = answer end
  for key, policy in pairs(saved_by) do
    policy.algorithm.save(KEYS[key], first[key], second[key], stored_first[key], stored_second[key], policy)
  end
  for text, key in pairs(extended) do
    if saved_by[key] then extend_list(KEYS[key], KEYS[#KEYS - texts + text]) end
  end
  for text, key in pairs(recorded) do record(KEYS[key], KEYS[#KEYS - texts + text], claims[last_position - texts + text]) end
  return reply_of(reply, has_problem)
end

-- For each key of the call: the two values of its state as stored, and as they stand now; the policy to save it by, once it
-- has changed; why it could not be read; and the policy that it was fetched by. `told` has the keys in the order of that.
local stored_first, stored_second, first, second, saved_by, problems, fetched, told = {}, {}, {}, {}, {}, {}, {}, {}
-- For each claim of the group that is decided: its state until it is saved, what it requests, and how it was decided.
local keys, policies, costs, shadow, charges_all, charges_denied = {}, {}, {}, {}, {}, {}
local waits, charges, ones, twos, permits = {}, {}, {}, {}, {}
-- For each claim of permits that requests wait for: 1 where it may take its units. The client does not know who else wishes some.
local may_take = {}

local function fetch(key, policy)
  fetched[key], told[#told + 1] = policy, key
  local one, two, problem = policy.algorithm.fetch(KEYS[key], policy.now, policy)
  first[key], second[key], stored_first[key], stored_second[key], problems[key] = one, two, one, two, problem
end

local function is_ahead(claim)
  local key, policy = keys[claim], policies[claim]
  return first[key] and policy.algorithm.is_ahead(first[key], second[key], policy.now, policy)
end

-- 0 for units that fit. How long others wait is what the client finds out.
local function wait_of(claim)
  local policy, cost = policies[claim], costs[claim]
  if cost > policy.capacity then return NEVER end
  if cost == 0 then return 0 end
  local fits = policy.algorithm.fits(ones[claim], twos[claim], policy.now, policy, cost, permits[claim])
  if policy.leaves_wishes then may_take[#may_take + 1] = fits and 1 or 0 end
  return fits and 0 or 1
end

local function read_and_wait(claim)
  local key, policy = keys[claim], policies[claim]
  ones[claim], twos[claim] = policy.algorithm.read(first[key], second[key], policy.now, policy)
  waits[claim], charges[claim] = wait_of(claim), 0
end

local function save_later(claim)
  local key = keys[claim]
  first[key], second[key], saved_by[key] = ones[claim], twos[claim], policies[claim]
end

local function charge(claim)
  local policy, cost, one, two = policies[claim], costs[claim], ones[claim], twos[claim]
  local is_denied = waits[claim] ~= 0
  charges[claim] = cost
  if is_denied then charges[claim] = min(cost, policy.algorithm.remaining(one, two, policy.now, policy)) end
  ones[claim], twos[claim] = policy.algorithm.charge(one, two, policy.now, policy, cost, permits[claim])
  -- A denied request that is charged makes its own wait longer, and may begin a ban.
  if is_denied or charges_denied[claim] then waits[claim] = wait_of(claim) end
end

local function is_charged(claim, is_admitted)
  if costs[claim] == 0 then return false end
  if charges_all[claim] then return true end
  if policies[claim].is_unspent then return false end
  if charges_denied[claim] then is_admitted = not is_admitted end
  return is_admitted and waits[claim] == 0
end

local function settle(claim, is_admitted)
  local is_changed = is_charged(claim, is_admitted)
  if is_changed then charge(claim) else is_changed = is_ahead(claim) end
  if is_changed then save_later(claim) end
end

-- Whether claims are admitted that wait so long.
local function are_admitted(size)
  for claim = 1, size do
    if waits[claim] ~= 0 and not shadow[claim] then return false end
  end
  return true
end

-- Returns whether the request is admitted.
local function consume_group(size)
  for claim = 1, size do read_and_wait(claim) end
  local is_admitted = are_admitted(size)
  for claim = 1, size do settle(claim, is_admitted) end
  return is_admitted
end

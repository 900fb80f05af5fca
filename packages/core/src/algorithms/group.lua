-- What is under each key of the call: the two values of its state as it was kept, and as it stands now; the policy to
-- keep it by, once it has to be kept; and what kept it from being read.
local kept_first, kept_second, first, second, saved_by, problems, fetched = {}, {}, {}, {}, {}, {}, {}
-- The claims of the group that is being decided, and the state of each as it stands: a key's own until it is kept.
local keys, claimed_by, costs, shadow, count_denied, waits, charges, ones, twos = {}, {}, {}, {}, {}, {}, {}, {}, {}
local reply, replies = { now_us }, 1

local function fetch(key, policy)
  fetched[key] = true
  local one, two, problem = policy.algorithm.fetch(KEYS[key], policy.now, policy)
  first[key], second[key], kept_first[key], kept_second[key], problems[key] = one, two, one, two, problem
end

local function wait_of(claim)
  local policy, cost = claimed_by[claim], costs[claim]
  if cost > policy.capacity then return NEVER end
  if cost == 0 then return 0 end
  return policy.algorithm.wait(ones[claim], twos[claim], policy.now, policy, cost)
end

local function read_and_wait(claim)
  local key, policy = keys[claim], claimed_by[claim]
  ones[claim], twos[claim] = policy.algorithm.read(first[key], second[key], policy.now, policy)
  waits[claim], charges[claim] = wait_of(claim), 0
end

local function keep(claim)
  local key = keys[claim]
  first[key], second[key], saved_by[key] = ones[claim], twos[claim], claimed_by[claim]
end

local function describe(claim)
  local policy, charged, retry_after = claimed_by[claim], charges[claim], waits[claim]
  local remaining, replenish_after, reset_after, detail =
    policy.algorithm.describe(ones[claim], twos[claim], policy.now, policy, costs[claim], charged, retry_after)
  reply[replies + 1], reply[replies + 2], reply[replies + 3], reply[replies + 4] =
    remaining, retry_after, replenish_after, reset_after
  replies = replies + 4
  if detail then
    replies = replies + 1
    reply[replies] = detail
  end
  if count_denied[claim] then
    replies = replies + 1
    reply[replies] = charged
  end
end

local function charge(claim)
  local policy, cost, one, two = claimed_by[claim], costs[claim], ones[claim], twos[claim]
  local denied = waits[claim] ~= 0
  charges[claim] = cost
  if denied then charges[claim] = min(cost, policy.algorithm.remaining(one, two, policy.now, policy)) end
  ones[claim], twos[claim] = policy.algorithm.charge(one, two, policy.now, policy, cost)
  if denied then waits[claim] = wait_of(claim) end
  keep(claim)
end

-- Returns whether the request is admitted.
local function consume_group(size)
  local admit = true
  for claim = 1, size do
    local key, policy = keys[claim], claimed_by[claim]
    local ahead = first[key] and policy.algorithm.ahead(first[key], second[key], policy.now, policy)
    read_and_wait(claim)
    if ahead then keep(claim) end
    if waits[claim] ~= 0 and not shadow[claim] then admit = false end
  end
  for claim = 1, size do
    if costs[claim] > 0 and (count_denied[claim] or (admit and waits[claim] == 0)) then charge(claim) end
    describe(claim)
  end
  return admit
end

local function peek_group(size)
  for claim = 1, size do
    read_and_wait(claim)
    describe(claim)
  end
end

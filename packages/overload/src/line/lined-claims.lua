-- Denied requests of a tier with a line are told its end, and move it. By the key of the tier, in microseconds: the end of its
-- line, and the last place in it that is kept; and the lines that are saved once the call has decided all of its groups.
local line_ends, kept_ends, moved_lines = {}, {}, {}
-- By their keys: the places of callers, in microseconds, and those that are saved.
local caller_places, moved_callers = {}, {}
-- By claim: what others may still be owed before it, in units; and the place that it has come too early for.
local owes, comes_at = {}, {}

-- What another program has stored there is no line.
local function line_end_of(key)
  if line_ends[key] then return line_ends[key] end
  local text = pcall('GET', number_key(key))
  local line_end, kept = (type(text) == 'string' and text or ''):match('^(%d+) ?(%d*)$')
  line_ends[key], kept_ends[key] = integer(line_end or '') or 0, integer(kept or '') or 0
  return line_ends[key]
end

local function stands_in_line(claim)
  local policy, cost = policies[claim], costs[claim]
  return policy.line and cost > 0 and cost <= policy.capacity
end

-- What a claim says of its place is a text, or where the place of its caller is among the keys.
local function caller_key(claim)
  local note = permits[claim]
  return policies[claim].line.by and note and KEYS[tonumber(note)]
end

-- The place that a claim brings, in microseconds. 0 for one that asks for a place, and -1 for one that asks for none.
local function place_brought(claim)
  local key = caller_key(claim)
  if not key then return tonumber(permits[claim] or -1) end
  if not caller_places[key] then
    local text = pcall('GET', key)
    caller_places[key] = type(text) == 'string' and integer(text) or 0
  end
  return caller_places[key]
end

local function late_ticks(policy)
  return policy.line.keep + ceil(1000000 / policy.tick)
end

-- The units that others may be owed whose places are kept.
local function owed(policy, kept)
  local keep = policy.line.keep
  local time = min(keep, keep + min(0, kept - policy.now))
  if policy.line.slice == 0 then return ceil(time * policy.limit / policy.line.span) end
  return ceil(time / policy.line.slice)
end

-- A place behind the last one is of a line that has begun again, or was reset. One that is farther than what a line tells was
-- told before a clock jumped back.
local function is_early(claim, place, kept)
  local policy = policies[claim]
  local now, wait = policy.now, place - policy.now
  if wait <= 0 or place > kept then return false end
  return wait <= policy.line.longest or wait <= policy.algorithm.wait(ones[claim], twos[claim], now, policy, costs[claim])
end

-- While places are kept, a claim that brings none leaves what others may be owed, and one that is early waits for its own.
local function keep_places(claim)
  local policy, key = policies[claim], keys[claim]
  line_end_of(key)
  local now, kept = policy.now, ceil(kept_ends[key] / policy.tick)
  if kept <= now - policy.line.keep then return end
  local place = ceil(place_brought(claim) / policy.tick)
  if is_early(claim, place, kept) then
    comes_at[claim], waits[claim] = place, 1
  elseif place <= 0 or place > now or now > place + late_ticks(policy) then
    owes[claim] = owed(policy, kept)
    local left = policy.algorithm.remaining(ones[claim], twos[claim], now, policy)
    if left < costs[claim] + owes[claim] then waits[claim] = 1 end
  end
end

-- How long a claim waits if nothing else spends: one that comes back with a place, for which nothing is owed; and others.
local function exact_wait(claim)
  local policy, key, owing = policies[claim], keys[claim], owes[claim] or 0
  local asks = owes[claim] and place_brought(claim) >= 0
  local units, now = costs[claim] + (asks and 0 or owing), policy.now
  local wait = policy.algorithm.wait(ones[claim], twos[claim], now, policy, min(policy.capacity, units))
  if asks then return max(1, wait) end
  if units <= policy.capacity then return wait end
  return max(wait, ceil(kept_ends[key] / policy.tick) + policy.line.keep - now)
end

-- The units that were told and may come before this claim: no more than the pace allows until the end of the line, nor than are
-- free by then.
local function told_before(claim, first, line_end)
  local policy = policies[claim]
  local now, algorithm = policy.now, policy.algorithm
  local step, least = algorithm.step(policy, 1), 0
  local most = min(policy.capacity, floor((2 * (line_end - first) + step) / (2 * step)) + costs[claim])
  local middle = most
  repeat
    if now + algorithm.wait(ones[claim], twos[claim], now, policy, middle) <= line_end then least = middle else most = middle end
    middle = floor((least + most) / 2)
  until most - least <= 1
  return least
end

-- The place behind the line of a limit whose units come back one after the other, and of a window in lumps.
local function next_place(claim, exact, line_end)
  local policy, cost = policies[claim], costs[claim]
  local now, algorithm = policy.now, policy.algorithm
  local first, promised, free = now + exact, owes[claim] or 0, now + exact
  if algorithm.next_place then
    return algorithm.next_place(ones[claim], twos[claim], policy, cost, first, line_end, promised)
  end
  if line_end >= first then promised = algorithm.in_lumps and told_before(claim, first, line_end) or 0 end
  if promised > 0 then
    local units = min(policy.capacity, promised + cost)
    free = max(free, now + algorithm.wait(ones[claim], twos[claim], now, policy, units))
  end
  local at = max(free, line_end + algorithm.step(policy, cost))
  return at, at
end

-- When the claim comes, and where the line then ends. A line that is longer than its bound begins again from the front.
local function place_of(claim)
  local policy, cost = policies[claim], costs[claim]
  local now, algorithm = policy.now, policy.algorithm
  local exact = exact_wait(claim)
  local at, line_end = next_place(claim, exact, ceil(line_end_of(keys[claim]) / policy.tick))
  if at - now <= max(exact, policy.line.longest) then return at, line_end end
  if algorithm.first_place then return algorithm.first_place(policy, cost, now + exact) end
  return now + exact, now + exact
end

-- Tells a client what a claim meets: the end of the line; and of a line that keeps places the last of these, and that of its
-- caller. 0 for what a claim that fits has not asked.
local read_and_wait_alone = read_and_wait
read_and_wait = function(claim)
  read_and_wait_alone(claim)
  owes[claim], comes_at[claim] = nil, nil
  if not stands_in_line(claim) then return end
  local key, policy = keys[claim], policies[claim]
  local line = policy.line
  if line.keep > 0 then keep_places(claim) end
  if waits[claim] ~= 0 and policy.algorithm.looks_ahead then place_of(claim) end
  if line.keep == 0 then
    may_take[#may_take + 1] = waits[claim] ~= 0 and line_end_of(key) or 0
    return
  end
  may_take[#may_take + 1] = line_ends[key]
  may_take[#may_take + 1] = kept_ends[key]
  if line.by then may_take[#may_take + 1] = caller_key(claim) and place_brought(claim) or 0 end
end

-- True if another tier still denies the request at its place, so that it will not come then.
local function denies_longer(claim, comes)
  local policy = policies[claim]
  if shadow[claim] or waits[claim] == 0 then return false end
  -- What a balance covers, time admits as well; and nobody knows when requests end.
  if policy.is_balance then return tonumber(permits[claim]) < 0 end
  if policy.is_held then return false end
  if costs[claim] > policy.capacity then return true end
  local later = floor(comes / policy.tick)
  local one, two = policy.algorithm.read(ones[claim], twos[claim], later, policy)
  return not policy.algorithm.fits(one, two, later, policy, costs[claim])
end

local function move_line(claim, size)
  local policy, key = policies[claim], keys[claim]
  local keep = policy.line.keep > 0
  if comes_at[claim] then return end
  local asks = keep and place_brought(claim) >= 0
  -- Those who ask for no place, and poll, would fill the line.
  if keep and not asks and kept_ends[key] > now_us - policy.line.keep * policy.tick then return end
  local at, line_end = place_of(claim)
  for other = 1, size do
    if other ~= claim and denies_longer(other, at * policy.tick) then return end
  end
  line_ends[key], moved_lines[key] = line_end * policy.tick, policy
  if not asks then return end
  kept_ends[key] = at * policy.tick
  local caller = caller_key(claim)
  if caller then caller_places[caller], moved_callers[caller] = at * policy.tick, policy end
end

-- A place is worth one request.
local function leave_line(claim)
  local caller = stands_in_line(claim) and not shadow[claim] and caller_key(claim)
  if caller and (caller_places[caller] or 0) > 0 then caller_places[caller], moved_callers[caller] = 0, policies[claim] end
end

local consume_without_lines = consume_group
local function consume_group(size)
  local is_admitted = consume_without_lines(size)
  for claim = 1, size do
    if is_admitted then leave_line(claim)
    elseif stands_in_line(claim) and waits[claim] ~= 0 and not shadow[claim] then move_line(claim, size) end
  end
  return is_admitted
end

-- A full Redis refuses it, which must not fail the denial.
local function save_until(key, text, time)
  pcall('SET', key, text, 'PXAT', ceil(time / 1000))
end

local reply_alone = reply_of
reply_of = function(numbers, has_problem)
  for key, policy in pairs(moved_lines) do
    local line_end, kept = line_ends[key], kept_ends[key]
    if policy.line.keep == 0 then
      save_until(number_key(key), ('%.0f'):format(line_end), line_end)
    else
      local until_ = max(line_end, kept + policy.line.keep * policy.tick)
      save_until(number_key(key), ('%.0f %.0f'):format(line_end, kept), until_)
    end
  end
  for key, policy in pairs(moved_callers) do
    local place = caller_places[key]
    if place == 0 then call('UNLINK', key)
    else save_until(key, ('%.0f'):format(place), place + late_ticks(policy) * policy.tick) end
  end
  return reply_alone(numbers, has_problem)
end

-- A fixed window whose denied requests stand in line: the window, and their places in the windows that follow.
-- A window by the clock ends with a grain of its own length.
local lined_turns = lined(fixed_window, function(policy) return policy.reach > 1 and policy.reach or policy.grain end)
algorithms.lfw = lined_turns

function lined_turns.wait(count, ends, now, policy, cost)
  if min(count, policy.limit) + cost <= policy.limit then return 0 end
  return ends - now
end

-- The period of a time: when it begins, and the next one.
local function period_at(ends, time, first)
  local size = #ends
  for place = 2, size do
    if ends[place] > time then return max(first, ends[place - 1]), ends[place] end
  end
  local length = ends[size] - ends[size - 1]
  local begins = ends[size] + floor((time - ends[size]) / length) * length
  return max(first, begins), begins + length
end

local function window_at(policy, time, first)
  if policy.ends then return period_at(policy.ends, time, first) end
  local begins = first + floor((time - first) / policy.line.span) * policy.line.span
  return begins, begins + policy.line.span
end

-- Each window that is to come tells the units of its limit, one after the other.
function lined_turns.next_place(count, ends, policy, cost, first, line_end, owing)
  local slice, limit = policy.line.slice, policy.limit
  local from, begins, following, used = max(first + owing * slice, line_end), policy.now, ends, min(count, limit)
  -- Where a kept place alone denies, the window of now has room for those that come before it ends.
  if used + cost > limit or from >= ends then
    begins, following = window_at(policy, from, ends)
    used = 0
  end
  used = used + ceil((from - begins) / slice)
  local at = from
  if used + cost > limit then at = following end
  return at, at + cost * slice
end

function lined_turns.first_place(policy, cost, first)
  return first, first + cost * policy.line.slice
end

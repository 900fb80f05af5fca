local function fast_window(at)
  local quotient, tolerance, grain = fast_policy(at)
  return { quotient = quotient, tolerance = tolerance, grain = grain }
end

-- Returns how far the time is ahead of now, which is what is not refilled, and how many units fit.
local function fast_read(time, bucket)
  local debt, tolerance = time > now_us and time - now_us or 0, bucket.tolerance
  if debt <= tolerance then return debt, floor((tolerance - debt) / bucket.quotient) end
end

local function fast_charge(key, time, debt, units, bucket)
  local after = now_us + debt + units * bucket.quotient
  if time == 0 then return call('SET', key, after, 'PXAT', expiry_of(after, bucket)) end
  call('INCRBY', key, after - time)
  extend_life(key, time, after, bucket)
end

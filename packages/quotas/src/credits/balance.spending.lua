-- What a balance has spent is stored by the hour of the charge.
local SPENT_HOUR, SPENT_HOURS, STORED_FOR = 3600000, 48, 2592000000

-- An hour has six digits, so that `..` writes it exactly.
local function add_spent(key, units, hour, oldest)
  if hour <= oldest or call('HINCRBY', key, 's' .. hour, units) ~= units then return end
  for _, field in ipairs(call('HKEYS', key)) do
    local known = tonumber(field:match('^s(%d+)$'))
    if known and known <= oldest then call('HDEL', key, field) end
  end
end

-- A volatile-* policy of eviction takes no key with units.
local function keep(key, left, stored_left, now)
  if left == 0 then
    call('PEXPIREAT', key, now + STORED_FOR)
  elseif stored_left == 0 then
    call('PERSIST', key)
  end
end

-- Changes the units of a balance to `left`. `hour` is that of their charge, and `now` is in milliseconds.
local function save_balance(key, left, stored_left, hour, now)
  call('HINCRBY', key, 'left', left - stored_left)
  add_spent(key, stored_left - left, hour, floor(now / SPENT_HOUR) - SPENT_HOURS)
  keep(key, left, stored_left, now)
end

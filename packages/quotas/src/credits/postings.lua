-- The last changes of a balance beside requests: the field `p` and a number below 50 has one, as its kind, its time, its units, the
-- balance, and the end and the order of its grant, then a blank and what its caller has said. `posted` counts all.
local MAX_POSTINGS, CREDIT, DEBIT, EXPIRY, LOST, RECONCILE = 50, 1, 2, 3, 4, 5

local function write_posting(key, number, posting)
  local text = ('%.0f,%.0f,%.0f,%.0f,%.0f,%.0f '):format(unpack(posting, 1, 6))
  call('HSET', key, 'p' .. (number - 1) % MAX_POSTINGS, text .. (posting[7] or ''))
end

-- Requests that end after their grant: one posting says it of all.
local function joins_last(key, number, posting)
  local last = posting[1] == LOST and number > 0 and call('HGET', key, 'p' .. (number - 1) % MAX_POSTINGS)
  local units = last and last:match('^4,%d+,(-?%d+),')
  if not units then return false end
  posting[3] = posting[3] + units
  write_posting(key, number, posting)
  return true
end

local function write_postings(key, postings)
  for _, posting in ipairs(postings) do
    local number = tonumber(call('HGET', key, 'posted') or 0)
    if not joins_last(key, number, posting) then write_posting(key, call('HINCRBY', key, 'posted', 1), posting) end
  end
end

-- The last ones, oldest first, behind how many there were.
local function read_postings(key)
  local number = tonumber(call('HGET', key, 'posted') or 0)
  local reply = { number }
  for each = max(1, number - MAX_POSTINGS + 1), number do
    reply[#reply + 1] = call('HGET', key, 'p' .. (each - 1) % MAX_POSTINGS)
  end
  return reply
end

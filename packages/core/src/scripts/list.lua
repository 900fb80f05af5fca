-- A list, and the log of its changes.
--
-- KEYS  list: a hash of each item to its end in milliseconds (0: for good), a space and its note. Beside the items:
--       `version`, the number of the last change; `epoch`, another one after a change that is not in the log; `floor`,
--       below which the log has dropped removals; `restorer`, which writes lost items back, and until when.
--       log: a sorted set of each item by the number of its last change, negative for a removal; and of `version`.
-- A number is a time in microseconds, so that none comes again after the server has lost its data.
local abs = math.abs
local list, log = KEYS[1], KEYS[2]
local now_ms = floor(now_us / 1000)
local about = call('HMGET', list, 'version', 'epoch', 'floor', 'restorer')
local version, epoch, forgotten = (about[1] or 0) + 0, (about[2] or 0) + 0, (about[3] or 0) + 0
local restorer, restores_until = (about[4] or ''):match('^(%S+) (%d+)$')
if restorer and restores_until + 0 <= now_ms then restorer = nil end

local function text(number)
  return ('%.0f'):format(number)
end

local function save()
  call('HSET', list, 'version', text(version), 'epoch', text(epoch), 'floor', text(forgotten))
  call('ZADD', log, text(version), 'version')
end

-- The server has evicted one of both keys, or a process of 0.1.0 has changed the list: 0.1 s for 100 000 items.
local function write_log()
  forgotten = version
  epoch = max(now_us, epoch + 1)
  local added = {}
  for _, name in ipairs(call('HKEYS', list)) do
    if name:find('[.:]') then
      version = version + 1
      added[#added + 1] = text(version)
      added[#added + 1] = name
    end
    if #added >= 1000 then
      call('ZADD', log, unpack(added))
      added = {}
    end
  end
  if #added > 0 then call('ZADD', log, unpack(added)) end
  save()
end

if (call('ZSCORE', log, 'version') or 0) + 0 ~= version then
  call('UNLINK', log)
  if version > 0 then write_log() end
end

-- A process that knows no removal below `forgotten` reads the whole list.
local function forget_removals()
  local most = 5000
  local last = call('ZRANGE', log, most, most, 'WITHSCORES')
  if last[2] and last[2] + 0 < 0 then
    forgotten = max(forgotten, -last[2])
    call('ZREMRANGEBYSCORE', log, last[2], '(0')
  end
end

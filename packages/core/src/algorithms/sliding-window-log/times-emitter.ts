import type { Emitter } from '../emitter.js';
import type { SlidingWindowLogPolicy } from './sliding-window-log.js';

/** More are dropped by the general path, which looks for the last of them. */
const MOST_EXPIRED = 4;
/** Lua passes at most 8 000 arguments. */
const MOST_UNITS = 1_000;

/** How long a cost is denied depends on another time than those of the reply. */
const LEAVE_DENIED = `
        if $room < count then $found = nil end`;

/** A list of the time of each unit. Replies how many count, the oldest that matters and the newest. */
export const emitTimes: Emitter<SlidingWindowLogPolicy> = ({ limit, span }, hasCosts) => ({
  begin: `
-- Texts, because Redis 7.0 takes half a microsecond to pass a number.
local $now, $expires = ('%.0f'):format(now_us), ('%.0f'):format(ceil((now_us + ${span}) / 1000))`,
  read: `
local $gone, $oldest, $latest = 0, 0, 0
do
  local size = pcall('LLEN', $key)
  if size == 0 then
    $found, $room = 0, ${limit}
  elseif type(size) == 'number' and count <= ${MOST_UNITS} then
    local newest, first = call('LINDEX', $key, '-1'), call('LINDEX', $key, '0')
    if #newest <= 16 and #first <= 16 and newest:find('^[1-9]%d*$') and first:find('^[1-9]%d*$') and newest + 0 <= now_us then
      while $gone < ${MOST_EXPIRED} and first and first + 0 <= now_us - ${span} do
        $gone = $gone + 1
        first = call('LINDEX', $key, $gone)
      end
      if not first or first + 0 > now_us - ${span} then
        $found = size - $gone
        $room = ${limit} - $found
        if $room < 0 then first = call('LINDEX', $key, $gone - $room) end
        if first then $oldest, $latest = first + 0, newest + 0 end${hasCosts ? LEAVE_DENIED : ''}
      end
    end
  end
end`,
  settle: `
if charged > 0 then
  if $gone > 0 then call('LPOP', $key, $gone) end
  local times = { $now }
  for unit = 2, charged do times[unit] = $now end
  call('RPUSH', $key, unpack(times))
  call('PEXPIREAT', $key, $expires)
end`,
  reply: ['$found', '$oldest', '$latest'],
});

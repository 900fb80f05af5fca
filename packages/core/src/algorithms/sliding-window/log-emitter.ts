import type { Emitter } from '../emitter.js';
import type { SlidingWindowPolicy } from './sliding-policy.js';

/** Bytes of a stamp, as log.packing.lua stores it. */
const STAMP_BYTES = 5;

/** How long a cost is denied depends on another stamp than those of the reply. */
const LEAVE_DENIED = `
  if $room < count then $found = nil end`;

/** A window that stores the time of each unit. Replies how many count, the oldest that matters and the newest. */
export const emitLog: Emitter<SlidingWindowPolicy> = ({ limit, span, tick }, hasCosts) => ({
  needs: ['log.packing'],
  begin: `
local $now = floor(now_us / ${tick})
-- A text, because Redis 7.0 takes half a microsecond to pass a number.
local $stamp, $expires = pack_stamp($now), ('%.0f'):format(ceil(($now + ${span}) * ${tick} / 1000))`,
  read: `
local $log, $first, $oldest, $latest = pcall('GET', $key) or 'l', 1, 0, 0
local size, age, oldest = type($log) == 'string' and log_size($log), 0, 0
if size and size > 0 then age, oldest = age_of($log, size, $now), age_of($log, 1, $now) end
if size and age >= 0 then
  while $first <= size and oldest >= ${span} do
    $first = $first + 1
    oldest = $first <= size and age_of($log, $first, $now)
  end
  $found = size - $first + 1
  $room = ${limit} - $found
  if $found > 0 then
    if $room < 0 then oldest = age_of($log, $first - $room, $now) end
    $oldest, $latest = $now - oldest, $now - age
  end${hasCosts ? LEAVE_DENIED : ''}
end`,
  settle: `
if charged > 0 then
  local kept = $first == 1 and $log or 'l' .. $log:sub(2 + ${STAMP_BYTES} * ($first - 1))
  call('SET', $key, kept .. (charged == 1 and $stamp or $stamp:rep(charged)), 'PXAT', $expires)
end`,
  reply: ['$found', '$oldest', '$latest'],
});

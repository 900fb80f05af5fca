import type { Emitter } from '../emitter.js';
import { COUNT_RANGE, PART_RANGE, type FixedWindowPolicy } from './fixed-window.js';

/** A client may read the last integers below 2^53 as 2^53. */
const END = 2 ** 53 - 64;

/** Charges first: that is one command a key within a window. */
export const emitFixedWindow: Emitter<FixedWindowPolicy> = ({ limit, reach, grain }) => ({
  begin: `
-- A current window has a value from $low on and below $high; or above 0 and below $wrapped, where the lower bits of a part
-- begin again within the window. A window that begins now is stored as $empty.
local $latest = ceil((now_us + ${reach}) / ${grain})
local $empty, $low = $latest % ${PART_RANGE} * ${COUNT_RANGE}, (floor(now_us / ${grain}) % ${PART_RANGE} + 1) * ${COUNT_RANGE}
local $high, $wrapped = min($empty + ${COUNT_RANGE}, ${END}), 0
if $high <= $low then $high, $wrapped = ${END}, $high end`,
  read: `
local $value = units and pcall('INCRBY', $key, units) or pcall('INCR', $key)
if type($value) == 'number' then
  local stored = $value - count
  if stored >= $low and $value < $high or stored > 0 and $value < $wrapped then
    $found, $room = stored, ${limit} - stored % ${COUNT_RANGE}
  elseif stored == 0 and ($wrapped == 0 or call('PEXPIRETIME', $key) == -1) then
    -- There was no key, or nothing was charged in another window.
    $found, $room = 0, ${limit}
  else
    call('DECRBY', $key, units or '1')
  end
end`,
  settle: `
if $found == 0 then
  if charged > 0 then
    call('SET', $key, $empty + charged, 'PXAT', ceil($latest * ${grain} / 1000))
  else
    call('UNLINK', $key)
  end
elseif charged < count then
  call('DECRBY', $key, charged == 0 and (units or '1') or count - charged)
end`,
});

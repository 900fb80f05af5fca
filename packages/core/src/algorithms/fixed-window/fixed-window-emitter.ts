import type { Emitter } from '../emitter.js';
import { COUNT_RANGE, FIRST_END, PART_RANGE, PERIOD_ENDS, type FixedWindowPolicy } from './window-policy.js';

/** A client may read the last integers below 2^53 as 2^53. */
const END = 9_007_199_254_740_928; // 2^53 - 64

/** Charges first: that is one command a key within a window. */
export const emitFixedWindow: Emitter<FixedWindowPolicy> = (policy) => ({
  begin: `
-- A current window has a value from $low on and below $high; or above 0 and below $wrapped, where the lower bits of a part
-- begin again within the window. A window that begins now is stored as $empty.
${endsOf(policy)}
local $empty, $low = $latest % ${PART_RANGE} * ${COUNT_RANGE}, (floor(now_us / ${policy.grain}) % ${PART_RANGE} + 1) * ${COUNT_RANGE}
local $high, $wrapped = min(${policy.periods ? `$furthest % ${PART_RANGE} * ${COUNT_RANGE}` : '$empty'} + ${COUNT_RANGE}, ${END}), 0
if $high <= $low then $high, $wrapped = ${END}, $high end`,
  read: `
local $value = units and pcall('INCRBY', $key, units) or pcall('INCR', $key)
if type($value) == 'number' then
  local stored = $value - count
  if stored >= $low and $value < $high or stored > 0 and $value < $wrapped then
    $found, $room = stored, ${policy.limit} - stored % ${COUNT_RANGE}
  elseif stored == 0 and ($wrapped == 0 or call('PEXPIRETIME', $key) == -1) then
    -- There was no key, or nothing was charged in another window.
    $found, $room = 0, ${policy.limit}
  else
    call('DECRBY', $key, units or '1')
  end
end`,
  settle: `
if $found == 0 then
  if charged > 0 then
    call('SET', $key, $empty + charged, 'PXAT', ceil($latest * ${policy.grain} / 1000))
  else
    call('UNLINK', $key)
  end
elseif charged < count then
  call('DECRBY', $key, charged == 0 and (units or '1') or count - charged)
end`,
});

/** Sets `$latest`, in grains: the end of a window that begins now. Of periods also `$furthest`, the end of the next one. */
function endsOf({ reach, grain, periods, numbers }: FixedWindowPolicy): string {
  if (periods === undefined) return `local $latest = ceil((now_us + ${reach}) / ${grain})`;
  const ends = numbers.slice(FIRST_END, FIRST_END + PERIOD_ENDS).map((end) => end / grain);
  const [beforeLast, last] = ends.slice(-2) as [number, number];
  const length = last - beforeLast;
  const cases = ends
    .slice(0, -1)
    .map((end, place) => `now_us < ${end * grain} then $latest, $furthest = ${end}, ${ends[place + 1]}`);
  return `local $latest, $furthest
if ${cases.join('\nelseif ')}
else
  -- The clock of the process is periods behind: these are as long as its last one.
  $latest = ${last} + max(0, ceil((now_us + 1 - ${last * grain}) / ${length * grain})) * ${length}
  $furthest = $latest + ${length}
end`;
}

import type { Emitter } from '../emitter.js';
import { UNIT_RANGE, type SlidingWindowPolicy } from './sliding-policy.js';

/** Slots have numbers below this, as in slots.ranges.lua. */
const SLOT_RANGE = 2 ** 13;
/** A ring is below this in the slot of now, when that has the number 0. */
const RING_RANGE = UNIT_RANGE ** 2;

/** Where there was no key, the command that charged it has made one, which nothing would ever end. */
const GIVE_BACK = "if $stored == 0 then call('UNLINK', $key) else call('DECRBY', $key, units or '1') end";

/**
 * A window of one slot that is not strict. The script charges before it compares, which takes one command a key within
 * a slot.
 */
export const emitSlots: Emitter<SlidingWindowPolicy> = ({ limit, slot, tick }) => ({
  begin: `
-- An empty ring of now is stored as $current, and $covered ticks of its older slot count.
local $newest = floor(floor(now_us / ${tick}) / ${slot})
local $covered = ($newest + 1) * ${slot} - floor(now_us / ${tick})
local $current, $weight = $newest % ${SLOT_RANGE} * ${RING_RANGE}, $covered / ${UNIT_RANGE}`,
  read: `
local $stored = units and pcall('INCRBY', $key, units) or pcall('INCR', $key)
if type($stored) == 'number' then
  $stored = $stored - count
  local state, newer = $stored - $current, $stored % ${UNIT_RANGE}
  if $stored > 0 and state >= 0 and state < ${RING_RANGE}
    and (state - newer) * $weight <= (${Math.min(limit, UNIT_RANGE - 1)} - newer - count) * ${slot} then
    -- Usually the slot of now is there, and all units fit.
    $found, $room = state, count
  else
    local rest = ($stored - newer) / ${UNIT_RANGE}
    local older = rest % ${UNIT_RANGE}
    local age = ($newest - (rest - older) / ${UNIT_RANGE}) % ${SLOT_RANGE}
    if $stored < 0 or $stored >= ${2 ** 53} or newer + count >= ${UNIT_RANGE} or $stored > 0 and age >= ${SLOT_RANGE / 2} then
      -- It is no ring, its count would outgrow its bits, or it is ahead of the clock.
      ${GIVE_BACK}
    else
      if age == 1 then older, newer = newer, 0 elseif age > 1 then older, newer = 0, 0 end
      $found = older * ${UNIT_RANGE} + newer
      $room = ${limit} - min(newer, ${limit}) - floor((min(older, ${limit}) * $covered + ${slot - 1}) / ${slot})
    end
  end
end`,
  settle: `
if charged == 0 then
  ${GIVE_BACK}
elseif $stored == 0 or $stored ~= $current + $found then
  call('SET', $key, $current + $found + charged, 'PXAT', ceil(($newest + 2) * ${slot * tick} / 1000))
elseif charged < count then
  call('DECRBY', $key, count - charged)
end`,
});

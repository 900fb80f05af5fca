import type { Policy } from '../../model/policy.js';
import type { Emitted, Emitter } from '../emitter.js';
import type { SlidingWindowPolicy } from './sliding-policy.js';
import type { Slots, SlotWindow } from './slots.js';

// Bytes of a stored ring, as ring.packing.lua has them.
const HEAD_BYTES = 10;
const COUNT_BYTES = 4;

/** A sliding window of several slots. */
export const emitWindowRing: Emitter<SlidingWindowPolicy> = (policy) => emitRing(policy, [policy]);

/**
 * The sum of a ring usually proves that units fit, and only its newest count is written within a slot. Left over are rings
 * ahead of the clock, and states of another form.
 */
export function emitRing({ slot, ring, tick, capacity }: Policy & Slots, windows: readonly SlotWindow[]): Emitted {
  const size = HEAD_BYTES + ring * COUNT_BYTES;
  const rooms = windows.map(
    ({ limit, slots, strict }) =>
      `${limit} - used_in(counts, ${limit}, ${slots}, ${strict ? slot : 'covered'}, ${slot})`,
  );
  return {
    needs: ['ring.packing', 'ring.counts'],
    begin: `
local $newest = floor(floor(now_us / ${tick}) / ${slot})
local $empty = pack_head($newest, 0) .. ('\\0'):rep(${ring * COUNT_BYTES})
local $expires = ('%.0f'):format(ceil(($newest + ${ring}) * ${slot * tick} / 1000))`,
    read: `
local $total, $newer, $counts
do
  local stored = pcall('GET', $key)
  local text = stored or $empty
  if #text == ${size} then
    local form, bits
    form, bits, $total, $newer = struct.unpack('>BI4I5I4', text)
    local age = ($newest - bits) % BITS_RANGE
    if form == RING and age < BITS_RANGE / 2 then
      if age > 0 or not stored then $counts, $total, $newer = roll_counts(text, min(age, ${ring}), $total, $newer) end
      $found, $room = text, ${capacity} - $total
      if $room < count then
        local counts, covered = $counts or text:sub(COUNTS_AT), ($newest + 1) * ${slot} - floor(now_us / ${tick})
        $room = min(${rooms.join(', ')})
      end
    end
  end
end`,
    settle: `
if charged > 0 then
  local head = struct.pack('>I5I4', $total + charged, $newer + charged)
  if $counts then
    call('SET', $key, $empty:sub(1, ${HEAD_BYTES / 2}) .. head .. $counts:sub(${COUNT_BYTES + 1}), 'PXAT', $expires)
  else
    call('SETRANGE', $key, ${HEAD_BYTES / 2}, head)
  end
end`,
    ring,
  };
}

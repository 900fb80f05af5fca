import type { SlotsTerms } from '../../model/inspection.js';
import type { Charge, Refund } from '../algorithm.js';
import { toMilliseconds } from '../tick.js';

/**
 * A ring of slots. A window of m slots counts the m newest and a share of the slot before them: the share that the window
 * still covers, rounded up. Slot j begins at tick j x slot.
 */
export interface Slots {
  /** Ticks a slot. */
  readonly slot: number;
  /** Slots in the ring: those of the longest window, and one more. */
  readonly ring: number;
}

/** The form of the stored state, in the shape of its key. Another form takes another one, so that no build reads it. */
export const SLOTS_FORM = 'form 2';

/** The number of the newest slot, then the units charged in each, newest first. */
export type Ring = readonly number[];

/** One window over a ring. */
export interface SlotWindow {
  readonly limit: number;
  /** The number of slots in the window (m). */
  readonly slots: number;
  /** The oldest slot counts in full while the window covers any of it. */
  readonly strict: boolean;
}

const BITS_RANGE = 2 ** 32;

/**
 * The ring in a reply: the lower bits of the number of its newest slot, the sum of its counts, its counts. It is
 * undefined if the sum is 0.
 */
export function unpackRing(
  numbers: readonly number[],
  position: number,
  now: number,
  { slot, ring }: Slots,
): Ring | undefined {
  if (numbers[position + 1] === 0) return undefined;
  const newest = Math.floor(now / slot);
  const state = numbers.slice(position + 1, position + 2 + ring);
  state[0] = newest - ((((newest - numbers[position]!) % BITS_RANGE) + BITS_RANGE) % BITS_RANGE);
  return state;
}

/** True for a ring whose newest slot has not begun. */
export function isRingAhead(stored: Ring, now: number, { slot }: Slots): boolean {
  return stored[0]! > Math.floor(now / slot);
}

export function readRing(stored: Ring | undefined, now: number, { slot, ring }: Slots): Ring {
  const newest = Math.floor(now / slot);
  const shift = stored === undefined ? ring : Math.max(0, newest - stored[0]!);
  if (shift === 0 && stored![0] === newest) return stored!;
  const counts = new Array<number>(ring + 1).fill(0);
  counts[0] = newest;
  for (let index = 1; index + shift <= ring; index += 1) counts[index + shift] = stored![index]!;
  return counts;
}

/** Units that count against a window at `now`. */
export function used(state: Ring, now: number, { slot }: Slots, { limit, slots, strict }: SlotWindow): number {
  const elapsed = now - state[0]! * slot;
  const full = fullSlots(state, limit, slots);
  const oldest = Math.min(state[slots + 1]!, limit);
  return full + (strict ? oldest : Math.floor((oldest * (slot - elapsed) + slot - 1) / slot));
}

/** Ticks until at most `need` units count against a window, when nothing else is charged. */
export function waitForRing(state: Ring, now: number, { slot }: Slots, window: SlotWindow, need: number): number {
  const { limit, slots, strict } = window;
  const elapsed = now - state[0]! * slot;
  let full = fullSlots(state, limit, slots);
  let oldest = Math.min(state[slots + 1]!, limit);
  let turns = 0;
  while (turns <= slots && full + (strict ? oldest : 0) > need) {
    oldest = turns < slots ? Math.min(state[slots - turns]!, limit) : 0;
    full -= oldest;
    turns += 1;
  }
  const partial = strict || oldest === 0 ? 0 : slot - Math.floor(((need - full) * slot) / oldest);
  return Math.max(0, turns * slot + Math.max(partial, turns === 0 ? elapsed : 0) - elapsed);
}

export function chargeRing(state: Ring, units: number): Ring {
  const counts = [...state];
  counts[1]! += units;
  return counts;
}

/** Gives units back to the slot that they were charged in, while the ring still has it. */
export function refundRing(stored: Ring, now: number, slots: Slots, { units, at }: Charge): Refund<Ring> {
  const state = readRing(stored, now, slots);
  const index = state[0]! - Math.floor(at / slots.slot) + 1;
  if (index < 1 || index > slots.ring) return { state, given: 0 };
  const given = Math.min(units, state[index]!);
  const counts = [...state];
  counts[index]! -= given;
  return { state: counts, given };
}

/** When the newest slot leaves the longest window. */
export function ringExpiresAt(state: Ring, { slot, ring }: Slots): number {
  return (state[0]! + ring) * slot;
}

/** Ticks until every slot with units has left the longest window. */
export function emptyAfter(state: Ring, now: number, { slot, ring }: Slots): number {
  for (let index = 1; index <= ring; index += 1) {
    if (state[index]! > 0) return (state[0]! - index + 1 + ring) * slot - now;
  }
  return 0;
}

/** Units of the slots that a window covers in full. */
function fullSlots(state: Ring, limit: number, slots: number): number {
  let sum = 0;
  // Units charged under a larger limit count as this limit at most.
  for (let index = 1; index <= slots; index += 1) sum += Math.min(state[index]!, limit);
  return sum;
}

/** @param windows in microseconds, longest first */
export function slotsTerms(
  state: Ring,
  now: number,
  windows: readonly (SlotWindow & { readonly window: number })[],
  policy: Slots & { readonly tick: number },
  cost: number,
): SlotsTerms {
  const termsOf = (each: SlotWindow & { readonly window: number }) => {
    const { limit, slots, strict, window } = each;
    const wait = cost === 0 ? 0 : waitForRing(state, now, policy, each, limit - cost);
    return {
      limit,
      window: window / 1e3,
      slots,
      oldest: Math.min(state[slots + 1]!, limit),
      share: strict ? 1 : 1 - (now - state[0]! * policy.slot) / policy.slot,
      newer: fullSlots(state, limit, slots),
      retryAfter: cost > limit ? Infinity : Math.ceil(toMilliseconds(wait, policy)),
    };
  };
  return { form: 'slots', windows: windows.map(termsOf) };
}

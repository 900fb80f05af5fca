import type { Policy } from '../../model/policy.js';
import type { LogWindow } from '../sliding-window-log/log.js';
import type { Stamps } from '../sliding-window-log/stamps.js';
import type { Ring, Slots, SlotWindow } from './slots.js';

/** The numbers of a window, whatever the form of its state: a key may have been charged at another limit. */
export interface SlidingWindowPolicy extends Policy, Slots, SlotWindow, LogWindow {
  /** The tick of a log of this window, in microseconds, at any limit. */
  readonly logTick: number;
}

/**
 * A limit of at most 64 charges a log, and a larger limit charges a ring. Each reads the form that it finds: a limit of
 * a log treats a ring as a strict one, and for a limit of a ring a log is still exact.
 */
export type WindowState = Ring | Stamps;

// Fast paths reply with two counts below 2^20 as one integer: older * 2^20 + newer, in the slot of now.
export const UNIT_RANGE = 2 ** 20;

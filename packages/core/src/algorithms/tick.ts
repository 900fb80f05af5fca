import { formatDuration } from '../model/duration.js';
import type { OptionReader } from '../options/option-reader.js';

const TICKS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/**
 * The unit of time of a slot, in microseconds: the smallest that divides the slot and keeps limit times slot below 2^52.
 * Every product of the formulas is then an exact integer in a double, in JavaScript and in Lua.
 *
 * @param slots of the window, where there is one: the message then has the nearest window, else the nearest slot
 * @throws ConfigError WINDOW_INVALID for a slot that no such tick divides
 */
export function tickOf(slot: number, limit: number, options: OptionReader, name: string, slots?: number): number {
  const roomy = roomyTick(slot, limit);
  if (roomy === undefined) {
    const most = Math.floor((2 ** 52 - 1) / (slot / 1e6));
    if (options.has('limit')) throw options.fail('LIMIT_INVALID', 'limit', `must be at most ${most} for this window`);
    throw options.fail('LIMIT_INVALID', name, `must have limits of at most ${most}`);
  }
  if (slot % roomy === 0) return roomy;
  const coarser = Math.max(roomy, Math.round(slot / roomy) * roomy);
  throw options.fail(
    'WINDOW_INVALID',
    name,
    `has slots of ${formatDuration(slot)}, which at this limit must be a multiple of ${formatDuration(roomy)}: the nearest ${slots === undefined ? 'slot' : 'window'} is ${formatDuration(coarser * (slots ?? 1))}`,
  );
}

/** The smallest tick that keeps limit times slot below 2^52, whether it divides the slot or not. */
export function roomyTick(slot: number, limit: number): number | undefined {
  return TICKS.find((tick) => limit * (slot / tick) < 2 ** 52);
}

export function toMilliseconds(ticks: number, { tick }: { readonly tick: number }): number {
  return (ticks * tick) / 1e3;
}

import type { Snapshot, State, Tail, TailEntry, Top, TopEntry } from '@sluice/dashboard';
import { unreachable } from '../failure/failure.js';

/** What these commands read of the state of a dashboard. */
export type KnownState = Pick<State, 'version' | 'isKeyed' | 'top'>;

/** An event of a dashboard. After `renew` it ends the stream, and expects the client again. */
export type DashboardEvent =
  | { readonly name: 'renew' }
  | { readonly name: 'tick'; readonly data: Pick<Snapshot, 'top'> }
  | { readonly name: 'tail'; readonly data: Tail };

/** @throws Failure for anything else: the address may be that of another server */
export function stateIn(text: string): KnownState {
  const { version, isKeyed, top } = objectIn(text);
  if (typeof version !== 'number') throw foreign();
  return { version: version as State['version'], isKeyed: isKeyed === true, top: topOf(top) };
}

/** Undefined for an event that these commands do not read. @throws Failure for a wrong one */
export function eventIn(name: string, text: string): DashboardEvent | undefined {
  if (name === 'tick') return { name, data: { top: topOf(objectIn(text)['top']) } };
  if (name === 'renew') return { name };
  if (name !== 'tail') return undefined;
  const { entries, dropped } = objectIn(text);
  return {
    name,
    data: { entries: listOf(entries, isTailEntry) as readonly TailEntry[], dropped: isCount(dropped) ? dropped : 0 },
  };
}

function topOf(value: unknown): Top {
  const { denied, sending } = Object(value) as Partial<Record<keyof Top, unknown>>;
  return {
    denied: listOf(denied, isTopEntry) as readonly TopEntry[],
    sending: listOf(sending, isTopEntry) as readonly TopEntry[],
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw foreign();
  }
}

function listOf(value: unknown, isEntry: (each: Record<string, unknown>) => boolean): readonly unknown[] {
  if (!Array.isArray(value) || !value.every((each) => isEntry(Object(each) as Record<string, unknown>)))
    throw foreign();
  return value as readonly unknown[];
}

function isTopEntry({ tier, digest, label, count, error, share }: Partial<Record<keyof TopEntry, unknown>>): boolean {
  return areTexts([tier, digest, label ?? '']) && [count, error].every(isCount) && isShare(share);
}

function isTailEntry(entry: Partial<Record<keyof TailEntry, unknown>>): boolean {
  const { age, reason, source, tiers, digest = '', label = '' } = entry;
  return isAge(age) && areTexts([reason, source, digest, label]) && Array.isArray(tiers) && areTexts(tiers);
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** No process is older, and dates end later. */
const MAX_AGE = 8.64e12;

function isAge(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= MAX_AGE;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function foreign(): Error {
  return unreachable('this address does not answer as a dashboard of Sluice: --url must be its address');
}

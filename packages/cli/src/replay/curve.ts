import type { Client } from './client.js';
import { KINDS, type Kind } from './kinds/kind.js';
import { searchOf } from './limit-search.js';
import type { ReplayTier } from './replayed-request.js';
import type { Selection } from './selection.js';

/** How many clients of each kind. */
export type KindCounts = Readonly<Partial<Record<Kind, number>>>;

/** Whom limits of one tier deny, from low to high ones. */
export interface Curve {
  readonly tier: string;
  /** Milliseconds. */
  readonly window: number;
  /** All clients. */
  readonly of: KindCounts;
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly limit: number;
  /** Clients that it denies, on its own. */
  readonly denied: KindCounts;
  /** In the table, beside the picture. */
  readonly isShown: boolean;
}

export interface CurveSetup {
  readonly selection: Selection;
  readonly tier: ReplayTier;
  /** Milliseconds. */
  readonly window: number;
  /** The limit that is proposed. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** What people read first. */
const A_MINUTE = [20, 40, 80, 160];
const MINUTE = 60_000;
/** Points of the picture for each doubling of the limit. */
const STEPS = 3;

/** Undefined for a tier whose algorithm must be tried for each limit. */
export async function curveOf({ selection, tier, window, limit, signal }: CurveSetup): Promise<Curve | undefined> {
  const search = searchOf(selection, tier, signal);
  if (!search.isQuick) return undefined;
  const { clients } = selection;
  const shown = new Set([limit, ...roundLimits(window, limit)]);
  const most = clients.reduce((one, client) => Math.max(one, selection.mostIn(window, client)), 1);
  const drawn = Array.from({ length: Math.ceil(Math.log2(most) * STEPS) + 1 }, (_, step) =>
    Math.round(2 ** (step / STEPS)),
  );
  // A lower limit than all in the table would have to be tried on most clients.
  const lowest = Math.min(...shown);
  const all = [...new Set([...shown, ...drawn.filter((each) => each > lowest)])].toSorted((one, other) => one - other);
  const points: CurvePoint[] = [];
  for (const each of all) {
    points.push({ limit: each, denied: countKinds(await search.deniedBy(clients, each)), isShown: shown.has(each) });
  }
  return { tier: tier.name, window, of: countKinds(clients), points };
}

/** Limits that are easy to compare: 20, 40, 80 and 160 a minute, else a quarter, a half, twice and four times a limit, rounded. */
function roundLimits(window: number, limit: number): readonly number[] {
  if (window === MINUTE) return A_MINUTE;
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(limit)) - 1);
  return [0.25, 0.5, 2, 4].map((factor) => Math.max(1, Math.round((limit * factor) / scale) * scale));
}

export function countKinds(clients: readonly Client[]): KindCounts {
  const counts: Partial<Record<Kind, number>> = {};
  for (const kind of KINDS) {
    const count = clients.reduce((sum, client) => sum + Number(client.kind === kind), 0);
    if (count > 0) counts[kind] = count;
  }
  return counts;
}

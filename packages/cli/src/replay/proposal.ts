import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import type { Recording } from './recording.js';
import type { ReplayedRequest, ReplayTier } from './replayed-request.js';

/** The lowest limit of a tier that, on its own, denies less than a share of some clients. */
export interface Proposal {
  readonly tier: string;
  /** Whose share it is: that of all clients, or that of those that look like people. */
  readonly by: 'clients' | 'people';
  readonly limit: number;
  /** How many of them it denies. */
  readonly denied: number;
  readonly of: number;
}

interface Audience {
  readonly by: Proposal['by'];
  readonly clients: readonly Client[];
  /** The share of them that the limit must stay below. */
  readonly below: number;
}

/**
 * Finds the limit of a tier. Undefined for one whose limit is no number, or with functions of the request, and without
 * clients.
 *
 * @param place of the tier among those of the candidate
 */
export async function propose(
  recording: Recording,
  tier: ReplayTier,
  place: number,
  { by, clients, below }: Audience,
): Promise<Proposal | undefined> {
  const given: unknown = 'limit' in tier ? tier.limit : undefined;
  if (typeof given !== 'number' || isByRequest(tier) || clients.length === 0) return undefined;
  // Below, not at the share.
  const most = Math.ceil(clients.length * below) - 1;
  const demands = clients.map(({ windows }) => windows[place]!.most).toSorted((one, other) => other - one);
  const counts = new Map<number, number>();
  const deniedAt = async (limit: number): Promise<number> => {
    let denied = counts.get(limit);
    if (denied === undefined) {
      denied = limit === 0 ? Infinity : deniedClients({ recording, tier, place, clients, most }, limit);
      counts.set(limit, denied);
      await turn();
    }
    return denied;
  };

  // What the first client that may not be denied asks for is a good guess.
  const guess = Math.max(1, demands[most] ?? 0);
  const isTooLow = async (limit: number) => (await deniedAt(limit)) > most;
  let [low, high] = [guess, guess];
  for (let step = 1; await isTooLow(high); step *= 2) [low, high] = [high, high + step];
  for (let step = 1; !(await isTooLow(low)); step *= 2) [low, high] = [Math.max(0, low - step), low];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isTooLow(middle)) low = middle;
    else high = middle;
  }
  return { tier: tier.name, by, limit: high, denied: await deniedAt(high), of: clients.length };
}

interface Search {
  readonly recording: Recording;
  readonly tier: ReplayTier;
  readonly place: number;
  readonly clients: readonly Client[];
  readonly most: number;
}

/** How many clients a tier denies at least once. Stops above `most`. */
function deniedClients({ recording, tier, place, clients, most }: Search, limit: number): number {
  const [least, sure] = isByWindow(tier) ? [limit / 2, limit * 2] : [0, Infinity];
  const unsure = new Set(clients.filter(({ windows }) => windows[place]!.most > least && windows[place]!.most <= sure));
  const surely = clients.filter(({ windows }) => windows[place]!.most > sure).length;
  if (surely > most) return surely;
  const trial = new Trial([{ ...tier, limit, mode: 'enforce' } as ReplayTier]);
  const denied = new Set<Client>();
  recording.visit(
    (client) => unsure.has(client),
    (request) => {
      if (!trial.decide(request as ReplayedRequest, request.time, request.units).allowed) denied.add(request.client);
      return surely + denied.size <= most;
    },
  );
  return surely + denied.size;
}

const BY_WINDOW: readonly unknown[] = [undefined, 'fixed-window', 'sliding-window', 'sliding-window-log'];

/**
 * True for a tier that denies no client with at most half of the limit in each window, and each with more than twice the
 * limit in one. A bucket may hold less than a window, and a month is longer than February.
 */
function isByWindow(tier: ReplayTier): boolean {
  return BY_WINDOW.includes(tier.algorithm) && !('period' in tier);
}

function isByRequest(tier: ReplayTier): boolean {
  return Object.values(tier).some((value) => typeof value === 'function');
}

/** Lets SIGINT through. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { isByWindow, type ReplayedRequest, type ReplayTier } from './replayed-request.js';
import { ROWS_A_TURN, turn } from './turn.js';

/** The lowest limit that denies at most so many clients, and how many it denies. */
export interface Found {
  readonly limit: number;
  readonly denied: number;
}

/** Finds a limit for some clients, of which it may deny at most so many. */
export type Search = (clients: readonly Client[], most: number) => Promise<Found>;

/** The search for a tier whose limit is a number. */
export function searchOf(demand: Demand, tier: ReplayTier, signal: AbortSignal): Search {
  const { window } = new Trial([tier]).tiers[0]!;
  const search = { demand, tier, window, signal };
  return isByWindow(tier) ? searchByUse(search) : searchByTrials(search);
}

interface SearchSetup {
  readonly demand: Demand;
  readonly tier: ReplayTier;
  readonly window: number;
  readonly signal: AbortSignal;
}

/** Tries limits, each on all requests of the clients. */
function searchByTrials({ demand, tier, window, signal }: SearchSetup): Search {
  return async (clients, most) => {
    const deniedAt = async (limit: number): Promise<number> => {
      if (limit === 0) return Infinity;
      const trial = trialOf(tier, limit);
      const denied = new Set<Client>();
      await visitRequests(demand, { clients, signal }, (request) => {
        if (!trial.decide(request, request.time, request.units).allowed) denied.add(request.client);
        return denied.size <= most;
      });
      return denied.size;
    };
    const isTooLow = async (limit: number) => (await deniedAt(limit)) > most;
    // What the first client that may not be denied asks for is a good guess.
    const guess = lowestFor(
      clients.map((client) => demand.mostIn(window, client)),
      most,
    );
    let [low, high] = [guess, guess];
    for (let step = 1; await isTooLow(high); step *= 2) [low, high] = [high, high + step];
    for (let step = 1; !(await isTooLow(low)); step *= 2) [low, high] = [Math.max(0, low - step), low];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await isTooLow(middle)) low = middle;
      else high = middle;
    }
    return { limit: high, denied: await deniedAt(high) };
  };
}

/** Up to this limit `sliding-window` stores the time of each unit. */
const MAX_LOG_LIMIT = 64;

/**
 * Of a tier by window, which counts the same whatever its limit is: the units that it counts of a client, under a limit
 * that denies none, are the lowest limit that spares the client.
 */
function searchByUse({ demand, tier, window, signal }: SearchSetup): Search {
  const { algorithm = 'sliding-window' } = tier;
  const demandOf = (client: Client) => demand.mostIn(window, client);
  const roof = demand.clients.reduce((most, client) => Math.max(most, demandOf(client)), MAX_LOG_LIMIT) * 4;
  const uses = new Map<Client, number>();
  /** At most twice what a client asks for is counted, and at least half of it. */
  const measure = async (clients: readonly Client[]): Promise<void> => {
    const trial = trialOf(tier, roof);
    for (const client of clients) uses.set(client, 0);
    await visitRequests(demand, { clients, signal }, (request) => {
      const [outcome] = trial.decide(request, request.time, request.units).outcomes;
      const use = roof - outcome!.remaining;
      if (use > uses.get(request.client)!) uses.set(request.client, use);
      return true;
    });
  };
  return async (clients, most) => {
    const demands = clients.map(demandOf);
    const exact = lowestFor(demands, most);
    if (algorithm === 'sliding-window-log' || (algorithm === 'sliding-window' && exact <= MAX_LOG_LIMIT))
      return { limit: exact, denied: countAbove(demands, exact) };
    // The others are spared.
    const busy = clients.filter((client) => demandOf(client) > exact / 4);
    await measure(busy.filter((client) => !uses.has(client)));
    const used = busy.map((client) => uses.get(client)!);
    const limit = Math.max(lowestFor(used, most), algorithm === 'sliding-window' ? MAX_LOG_LIMIT + 1 : 1);
    return { limit, denied: countAbove(used, limit) };
  };
}

function trialOf(tier: ReplayTier, limit: number): Trial<ReplayedRequest> {
  return new Trial<ReplayedRequest>([{ ...tier, limit, mode: 'enforce' } as ReplayTier]);
}

/** The lowest limit that at most so many of some values exceed. */
function lowestFor(values: readonly number[], most: number): number {
  return Math.max(1, values.toSorted((one, other) => other - one)[most] ?? 0);
}

function countAbove(values: readonly number[], limit: number): number {
  return values.filter((value) => value > limit).length;
}

/** Visits the requests of some clients in order. Stops when `visit` returns false. */
async function visitRequests(
  demand: Demand,
  { clients, signal }: { readonly clients: readonly Client[]; readonly signal: AbortSignal },
  visit: (request: ReplayedRequest) => boolean,
): Promise<void> {
  const isWanted = new Uint8Array(demand.clients.length);
  for (const { index } of clients) isWanted[index] = 1;
  const { clients: indices, size } = demand.table;
  for (let row = 0; row < size; row += 1) {
    if (row % ROWS_A_TURN === 0) await turn(signal);
    if (isWanted[indices[row]!] === 1 && !visit(demand.requestAt(row))) return;
  }
}

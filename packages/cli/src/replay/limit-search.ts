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

/**
 * Tries limits. A higher limit spares each client that a lower one spares, and a lower one denies each that a higher one
 * denies. So a trial is only about the clients that the trials before it have left open.
 */
function searchByTrials({ demand, tier, window, signal }: SearchSetup): Search {
  const demandOf = (client: Client) => demand.mostIn(window, client);
  return async (clients, most) => {
    // The busiest first: a limit that is too low shows early.
    let open: readonly Client[] = clients.toSorted((one, other) => demandOf(other) - demandOf(one));
    // How many clients are denied by all limits that may still be found.
    let above = 0;
    const isTooLow = async (limit: number): Promise<boolean> => {
      const trial = trialOf(tier, limit);
      const [denied, spared]: [Client[], Client[]] = [[], []];
      await visitClients(open, signal, (client) => {
        (isDenied(demand, client, trial) ? denied : spared).push(client);
        return above + denied.length <= most;
      });
      const tooLow = above + denied.length > most;
      if (!tooLow) above += denied.length;
      open = tooLow ? [...denied, ...open.slice(denied.length + spared.length)] : spared;
      return tooLow;
    };
    // What the first client that may not be denied asks for is a good guess.
    let [low, high] = [0, lowestFor(clients.map(demandOf), most)];
    for (let step = 1; await isTooLow(high); step *= 2) [low, high] = [high, high + step];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await isTooLow(middle)) low = middle;
      else high = middle;
    }
    return { limit: high, denied: above };
  };
}

function isDenied(demand: Demand, client: Client, trial: Trial<ReplayedRequest>): boolean {
  return demand.rowsOf(client).some((row) => {
    const request = demand.requestAt(row);
    return !trial.decide(request, request.time, request.units).allowed;
  });
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
    await visitClients(clients, signal, (client) => {
      let most = 0;
      for (const row of demand.rowsOf(client)) {
        const request = demand.requestAt(row);
        const [outcome] = trial.decide(request, request.time, request.units).outcomes;
        most = Math.max(most, roof - outcome!.remaining);
      }
      uses.set(client, most);
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

/** Visits clients until `visit` returns false. */
async function visitClients(
  clients: readonly Client[],
  signal: AbortSignal,
  visit: (client: Client) => boolean,
): Promise<void> {
  let rows = 0;
  for (const client of clients) {
    if (!visit(client)) return;
    rows += client.requests;
    if (rows < ROWS_A_TURN) continue;
    rows = 0;
    await turn(signal);
  }
}

import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import { countAbove, lowestFor } from './lowest-limit.js';
import type { Selection } from './selection.js';
import {
  isByWindow,
  isPlainSliding,
  MAX_LOG_LIMIT,
  type ReplayedRequest,
  type ReplayTier,
} from './replayed-request.js';
import { ROWS_A_TURN, turn } from './turn.js';

/** The lowest limit that denies at most so many clients, and how many it denies. */
export interface Found {
  readonly limit: number;
  readonly denied: number;
}

/** Limits of one tier for the clients of a selection. */
export interface LimitSearch {
  /** Finds a limit for some clients, of which it may deny at most so many. */
  readonly find: (clients: readonly Client[], most: number) => Promise<Found>;
  /** The clients that a limit denies. */
  readonly deniedBy: (clients: readonly Client[], limit: number) => Promise<readonly Client[]>;
  /** A search that measures each client once, and answers any number of questions. */
  readonly isQuick: boolean;
}

/** The search for a tier whose limit is a number. */
export function searchOf(selection: Selection, tier: ReplayTier, signal: AbortSignal): LimitSearch {
  const { window } = new Trial([tier]).tiers[0]!;
  const search = { selection, tier, window, signal };
  if (isPlainSliding(tier)) return searchByColumns(search);
  return isByWindow(tier) ? searchByUse(search) : searchByTrials(search);
}

interface SearchSetup {
  readonly selection: Selection;
  readonly tier: ReplayTier;
  readonly window: number;
  readonly signal: AbortSignal;
}

/**
 * Tries limits. A higher limit spares each client that a lower one spares, and a lower one denies each that a higher one
 * denies. So a trial is only about the clients that the trials before it have left open.
 */
function searchByTrials(search: SearchSetup): LimitSearch {
  const { selection, tier, window } = search;
  const demandOf = (client: Client) => selection.mostIn(window, client);
  const find: LimitSearch['find'] = async (clients, most) => {
    // The busiest first: a limit that is too low shows early.
    let open: readonly Client[] = clients.toSorted((one, other) => demandOf(other) - demandOf(one));
    // How many clients are denied by all limits that may still be found.
    let above = 0;
    const isTooLow = async (limit: number): Promise<boolean> => {
      const trial = trialOf(tier, limit);
      const [denied, spared]: [Client[], Client[]] = [[], []];
      await visitClients(open, search, (client) => {
        (isDenied(selection, client, trial) ? denied : spared).push(client);
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
  const deniedBy = async (clients: readonly Client[], limit: number) => {
    const trial = trialOf(tier, limit);
    const denied: Client[] = [];
    await visitClients(clients, search, (client) => {
      if (isDenied(selection, client, trial)) denied.push(client);
      return true;
    });
    return denied;
  };
  return { find, deniedBy, isQuick: false };
}

function isDenied(selection: Selection, client: Client, trial: Trial<ReplayedRequest>): boolean {
  return selection.rowsOf(client).some((row) => {
    const request = selection.requestAt(row);
    return !trial.decide(request, request.time, request.units).allowed;
  });
}

/**
 * Of a sliding window of one slot, whose counts are known without trials: up to a limit of 64 those of an exact log, and
 * above an estimate.
 */
function searchByColumns({ selection, window }: SearchSetup): LimitSearch {
  const needsFrom = (limit: number) => (client: Client) =>
    limit <= MAX_LOG_LIMIT ? selection.mostIn(window, client) : selection.usedIn(window, client);
  const find = async (clients: readonly Client[], most: number) => {
    const demands = clients.map(needsFrom(1));
    const exact = lowestFor(demands, most);
    if (exact <= MAX_LOG_LIMIT) return { limit: exact, denied: countAbove(demands, exact) };
    const needs = clients.map(needsFrom(exact));
    const limit = Math.max(lowestFor(needs, most), MAX_LOG_LIMIT + 1);
    return { limit, denied: countAbove(needs, limit) };
  };
  const deniedBy = async (clients: readonly Client[], limit: number) => {
    const needOf = needsFrom(limit);
    return clients.filter((client) => needOf(client) > limit);
  };
  return { find, deniedBy, isQuick: true };
}

/**
 * Of another tier by window, which counts the same whatever its limit is: the units that it counts of a client, under a limit
 * that denies none, are the lowest limit that spares the client.
 */
function searchByUse(search: SearchSetup): LimitSearch {
  const { selection, tier, window } = search;
  const { algorithm = 'sliding-window' } = tier;
  const demandOf = (client: Client) => selection.mostIn(window, client);
  const roof = selection.clients.reduce((most, client) => Math.max(most, demandOf(client)), MAX_LOG_LIMIT) * 4;
  const uses = new Map<Client, number>();
  let trial: Trial<ReplayedRequest> | undefined;
  /** At most twice what a client asks for is counted, and at least half of it. */
  const measure = async (clients: readonly Client[]): Promise<void> => {
    trial ??= trialOf(tier, roof);
    const measuring = trial;
    await visitClients(clients, search, (client) => {
      let most = 0;
      for (const row of selection.rowsOf(client)) {
        const request = selection.requestAt(row);
        const [outcome] = measuring.decide(request, request.time, request.units).outcomes;
        most = Math.max(most, roof - outcome!.remaining);
      }
      uses.set(client, most);
      return true;
    });
  };
  const isExactAt = (limit: number) =>
    algorithm === 'sliding-window-log' || (algorithm === 'sliding-window' && limit <= MAX_LOG_LIMIT);
  /** What limits from `from` on must allow to spare a client. Of one that is far below, what it asks for. */
  const needsOf = async (clients: readonly Client[], from: number) => {
    if (isExactAt(from)) return demandOf;
    await measure(clients.filter((client) => demandOf(client) > from / 4 && !uses.has(client)));
    return (client: Client) => uses.get(client) ?? demandOf(client);
  };
  const find = async (clients: readonly Client[], most: number) => {
    const demands = clients.map(demandOf);
    const exact = lowestFor(demands, most);
    if (isExactAt(exact)) return { limit: exact, denied: countAbove(demands, exact) };
    // The busiest first: once so many need more than twice what the next one asks for, the others cannot decide.
    const busy = clients.filter((client) => demandOf(client) > exact / 4);
    const sorted = busy.toSorted((one, other) => demandOf(other) - demandOf(one));
    const needs: number[] = [];
    for (let from = 0, count = most + 1; from < sorted.length; from += count, count *= 2) {
      if (needs.length > most && lowestFor(needs, most) >= 2 * demandOf(sorted[from]!)) break;
      const next = sorted.slice(from, from + count);
      needs.push(...next.map(await needsOf(next, exact)));
    }
    const least = lowestFor(needs, most);
    const limit = algorithm === 'sliding-window' ? Math.max(least, MAX_LOG_LIMIT + 1) : least;
    return { limit, denied: countAbove(needs, limit) };
  };
  const deniedBy = async (clients: readonly Client[], limit: number) => {
    const needOf = await needsOf(clients, limit);
    return clients.filter((client) => needOf(client) > limit);
  };
  return { find, deniedBy, isQuick: true };
}

function trialOf(tier: ReplayTier, limit: number): Trial<ReplayedRequest> {
  return new Trial<ReplayedRequest>([{ ...tier, limit, mode: 'enforce' } as ReplayTier]);
}

/** Visits clients until `visit` returns false. */
async function visitClients(
  clients: readonly Client[],
  { selection, signal }: SearchSetup,
  visit: (client: Client) => boolean,
): Promise<void> {
  let rows = 0;
  for (const client of clients) {
    if (!visit(client)) return;
    rows += selection.countOf(client);
    if (rows < ROWS_A_TURN) continue;
    rows = 0;
    await turn(signal);
  }
}

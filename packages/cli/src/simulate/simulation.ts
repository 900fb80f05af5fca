import type { AnyTier } from '../limits/any-tier.js';
import { Trial } from '../limits/trial.js';
import type { Load } from './load.js';
import { SimulatedClient } from './simulated-client.js';
import { worstWindow, type Charge } from './worst-window.js';

export type SimulatedTier = AnyTier<SimulatedClient>;

/** What limits did under a load. */
export interface Simulation {
  readonly admitted: number;
  readonly denied: number;
  /** The longest time until a denied request would fit, in milliseconds. Absent without one. */
  readonly longestWait?: number;
  /** The longest delay of an admitted request, in milliseconds. Above 0 only with a leaky-bucket queue. */
  readonly longestDelay: number;
  readonly tiers: readonly SimulatedTierReport[];
  /** When admitted requests go on, in milliseconds, ascending. */
  readonly admissions: readonly Charge[];
}

export interface SimulatedTierReport {
  readonly name: string;
  readonly limit?: number;
  /** Milliseconds. */
  readonly window: number;
  readonly denied: number;
  /** The most units that one client got in any window of the length of the tier's. */
  readonly worstWindow: number;
  /** The share that a client gets of one request each `window / limit`. Absent for a limit that is a function. */
  readonly paced?: number;
}

/** A time since 1970 that no window knows. */
const START = Date.UTC(2030, 0, 1);
/** Requests of a client that keeps the rate: some windows, but not endless. */
const PACED_WINDOWS = 4;
const MAX_PACED = 20_000;

/** Decides the requests of a load, each at its time. @throws ConfigError of core */
export function simulate(tiers: readonly SimulatedTier[], { arrivals }: Load): Simulation {
  const trial = new Trial<SimulatedClient>(tiers);
  const clients: SimulatedClient[] = [];
  const byClient: Charge[][] = [];
  let [longestWait, longestDelay] = [-1, 0];
  for (const { time, client, cost } of arrivals) {
    const subject = (clients[client] ??= new SimulatedClient(client));
    const { allowed, retryAfter, delay } = trial.decide(subject, START + time, cost);
    if (!allowed) {
      longestWait = Math.max(longestWait, retryAfter);
      continue;
    }
    longestDelay = Math.max(longestDelay, delay);
    (byClient[client] ??= []).push({ time: time + delay, units: cost });
  }
  const admissions = byClient.flat().toSorted((one, other) => one.time - other.time);
  return {
    admitted: arrivals.length - trial.denied,
    denied: trial.denied,
    ...(longestWait >= 0 && { longestWait }),
    longestDelay,
    tiers: trial.tiers.map(({ name, limit, window, denied, rate }) => ({
      name,
      ...(limit !== undefined && { limit }),
      window,
      denied,
      worstWindow: worstOf(byClient, window),
      ...pacedShare(
        tiers.find((tier) => tier.name === name)!,
        rate,
      ),
    })),
    admissions,
  };
}

function worstOf(byClient: readonly (readonly Charge[] | undefined)[], window: number): number {
  let most = 0;
  for (const charges of byClient) most = Math.max(most, worstWindow(ordered(charges ?? []), window));
  return most;
}

/** A delay may bring a request behind a later one. */
function ordered(charges: readonly Charge[]): readonly Charge[] {
  return charges.toSorted((one, other) => one.time - other.time);
}

/** @param rate milliseconds between two requests at the pace of the limit */
function pacedShare(tier: SimulatedTier, rate: { readonly limit: number; readonly every: number } | undefined) {
  if (rate === undefined) return {};
  const { limit, every } = rate;
  const count = Math.min(MAX_PACED, PACED_WINDOWS * limit + 1);
  const trial = new Trial<SimulatedClient>([{ ...tier, mode: 'enforce' }]);
  const client = new SimulatedClient(0);
  // Up to a whole microsecond: a little slower than the rate, never faster.
  const microseconds = Math.ceil(every * 1e3);
  for (let index = 0; index < count; index += 1) trial.decide(client, START + (index * microseconds) / 1e3, 1);
  return { paced: (count - trial.denied) / count };
}

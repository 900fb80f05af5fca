import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { grouped } from './kinds/grouped.js';
import type { Swarm } from './kinds/swarms.js';

/** A scan, or guesses of passwords, and how much of it limits let through. */
export interface Attack {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  readonly denied: number;
  /** More than one for a scan that moved, or came from several addresses at the same time. */
  readonly clients: readonly Client[];
  /** It comes from addresses that act as one, so that no limit by address can stop it. */
  readonly swarm: Swarm | undefined;
}

/** A smaller scan does no harm that a limit would prevent. */
const WORTH = 100;
/** A scan that goes on from another address within this time is the same one. In milliseconds. */
const PAUSE = 30 * 60_000;

/** The attacks of a log, the largest first. Scanners with one agent whose times meet are one attack, and so is a swarm. */
export function attacksOf(demand: Demand): readonly Attack[] {
  const scanners = demand.selected.clients
    .filter(({ kind }) => kind === 'scanner')
    .map((client) => attackOf(demand, client));
  const { signs } = demand;
  const bySource = grouped(
    scanners,
    ({ clients: [client], swarm }) => swarm ?? (signs.of(client!.index).agent || client!),
  );
  return [...bySource.values()]
    .flatMap((attacks) => joined(attacks, attacks[0]!.swarm === undefined ? PAUSE : Infinity))
    .filter(({ requests }) => requests >= WORTH)
    .toSorted((one, other) => other.requests - one.requests);
}

function attackOf(demand: Demand, client: Client): Attack {
  const { selected, table } = demand;
  const rows = selected.rowsOf(client);
  const [from, to] = [table.times[rows[0]!]!, table.times[rows.at(-1)!]!];
  const { denied } = client;
  return { from, to, requests: rows.length, denied, clients: [client], swarm: demand.swarmOf(client) };
}

/** Attacks with one agent, of which each that begins before the one before it has paused for long is a part of it. */
function joined(attacks: readonly Attack[], pause: number): readonly Attack[] {
  const found: Joined[] = [];
  for (const attack of attacks.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last === undefined || attack.from > last.to + pause) {
      found.push({ ...attack, clients: [...attack.clients] });
      continue;
    }
    last.to = Math.max(last.to, attack.to);
    last.requests += attack.requests;
    last.denied += attack.denied;
    last.clients.push(...attack.clients);
  }
  return found;
}

type Joined = { -readonly [Name in keyof Attack]: Name extends 'clients' ? Client[] : Attack[Name] };

import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { grouped } from './grouped.js';

/** A scan, or guesses of passwords, and how much of it limits let through. */
export interface Attack {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  readonly denied: number;
  /** More than one for a scan that moved, or came from several at once. */
  readonly clients: readonly Client[];
}

/** A smaller scan does no harm that a limit would prevent. */
const WORTH = 100;
/** A scan that goes on from another address within this time is the same one. In milliseconds. */
const PAUSE = 30 * 60_000;

/** The attacks of a log, the largest first. Scanners with one agent whose times meet are one attack. */
export function attacksOf(demand: Demand): readonly Attack[] {
  const scanners = demand.selected.clients
    .filter(({ kind }) => kind === 'scanner')
    .map((client) => attackOf(demand, client));
  const byAgent = grouped(scanners, ({ clients: [client] }) => demand.signs.of(client!.index).agent || client!);
  return [...byAgent.values()]
    .flatMap(joined)
    .filter(({ requests }) => requests >= WORTH)
    .toSorted((one, other) => other.requests - one.requests);
}

function attackOf({ selected, table }: Demand, client: Client): Attack {
  const rows = selected.rowsOf(client);
  const [from, to] = [table.times[rows[0]!]!, table.times[rows.at(-1)!]!];
  return { from, to, requests: rows.length, denied: client.denied, clients: [client] };
}

/** Attacks with one agent, of which each that begins before the one before it has paused for long is a part of it. */
function joined(attacks: readonly Attack[]): readonly Attack[] {
  const found: Attack[] = [];
  for (const attack of attacks.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last === undefined || attack.from > last.to + PAUSE) {
      found.push(attack);
      continue;
    }
    found[found.length - 1] = {
      from: last.from,
      to: Math.max(last.to, attack.to),
      requests: last.requests + attack.requests,
      denied: last.denied + attack.denied,
      clients: [...last.clients, ...attack.clients],
    };
  }
  return found;
}

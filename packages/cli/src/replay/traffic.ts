import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { grouped } from './kinds/grouped.js';
import { KINDS, type Kind } from './kinds/kind.js';

/** A part of the requests of a log, by what sends it. */
export interface TrafficPart {
  readonly kind: Kind;
  /** Of people, files are a part of their own. */
  readonly what: 'all' | 'pages' | 'files';
  readonly requests: number;
  /** With a request in it. */
  readonly clients: number;
  /** The busiest of them. */
  readonly busiest: Client;
}

/** Page loads are visits of people too. */
const OF_PEOPLE: readonly Kind[] = ['person', 'page load'];

/** Whose requests a log has, all of them in one part each. */
export function trafficOf(demand: Demand): readonly TrafficPart[] {
  const parts: TrafficPart[] = [];
  const add = (kind: Kind, what: TrafficPart['what'], of: readonly (readonly [Client, number])[]) => {
    const sent = of.filter(([, requests]) => requests > 0);
    if (sent.length === 0) return;
    const [busiest] = sent.reduce((one, other) => (other[1] > one[1] ? other : one));
    parts.push({
      kind,
      what,
      requests: sent.reduce((sum, [, count]) => sum + count, 0),
      clients: sent.length,
      busiest,
    });
  };
  const byKind = grouped(demand.clients, ({ kind }) => (OF_PEOPLE.includes(kind) ? 'person' : kind));
  for (const kind of KINDS) {
    const clients = byKind.get(kind) ?? [];
    const counted = clients.map((client) => [client, demand.signs.countsOf(client.index)] as const);
    if (kind === 'person') {
      add(
        kind,
        'pages',
        counted.map(([client, { requests, files }]) => [client, requests - files]),
      );
      add(
        kind,
        'files',
        counted.map(([client, { files }]) => [client, files]),
      );
    } else
      add(
        kind,
        'all',
        counted.map(([client, { requests }]) => [client, requests]),
      );
  }
  return parts;
}

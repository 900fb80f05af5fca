import type { Entry } from './contestant.js';
import { CONNECTIONS, SERVERS, type Connections } from './terms.js';

/** A contestant, and what it is asked. */
export interface Part extends Entry {
  readonly loads: readonly number[];
  readonly runs: number;
  /** Milliseconds, at each of `pauseLoads`. */
  readonly pauses: readonly number[];
  readonly tries: number;
}

export const LOADS = [0.8, 0.9, 1.2, 2, 4, 12] as const;
export const PAUSES = [300, 1_000, 1_500, 3_000] as const;
export const PAUSE_LOADS = [0.2, 0.4, 0.6] as const;

/** What `--only` names: a server, or Express behind nginx or in a worker of `node:cluster`. */
export const SUBJECTS: Readonly<Record<string, Pick<Entry, 'server' | 'proxy' | 'cluster'>>> = {
  ...Object.fromEntries(SERVERS.map((server) => [server, { server }])),
  nginx: { server: 'express', proxy: 'default' },
  'nginx-keepalive': { server: 'express', proxy: 'keepalive' },
  'nginx-stamps': { server: 'express', proxy: 'stamps' },
  'nginx-nothing': { server: 'nothing', proxy: 'default' },
  cluster: { server: 'express', cluster: 'round-robin' },
  'cluster-none': { server: 'express', cluster: 'none' },
  'cluster-stamps': { server: 'express', cluster: 'round-robin', proxy: 'stamps' },
};

const NO_PAUSES = { pauses: [], tries: 0 };

/** All that docs/benchmarks/overload.md shows: less than an hour. */
export function wholePlan(): readonly Part[] {
  const both = (part: (connections: Connections) => Part) => CONNECTIONS.map(part);
  const few = { server: 'express', connections: 'new', loads: [1.2, 4], runs: 1, ...NO_PAUSES } as const;
  return [
    ...SERVERS.flatMap((server) =>
      both((connections) => ({ server, connections, loads: LOADS, runs: 1, ...NO_PAUSES })),
    ),
    // Runs one and two more.
    ...both((connections) => ({ server: 'express', connections, loads: [1.2, 4, 12], runs: 3, ...NO_PAUSES })),
    { ...few, node: 20 },
    { ...few, node: 22 },
    { ...few, transport: 'tls' },
    { ...few, transport: 'unix' },
    ...['cluster', 'cluster-none'].map((name) => ({ ...few, ...SUBJECTS[name]! })),
    ...['nginx', 'nginx-keepalive', 'nginx-stamps', 'nginx-nothing', 'cluster-stamps'].map((name) => ({
      ...SUBJECTS[name]!,
      connections: 'kept' as const,
      loads: [1.2, 2, 4, 12],
      runs: 1,
      ...NO_PAUSES,
    })),
    // Half an hour for both, with 16 tries each.
    ...both((connections) => {
      const tries = connections === 'kept' ? 16 : 4;
      return { server: 'express', connections, loads: [], runs: 0, pauses: PAUSES, tries };
    }),
  ];
}

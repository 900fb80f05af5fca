import type { Client } from './client.js';
import type { Demand } from './demand.js';
import type { Kind } from './kinds/kind.js';

/** A client that serves you, and that the limits deny. */
export interface Exemption {
  readonly client: Client;
  readonly evidence: string;
  readonly denied: number;
}

/** An attacker can name itself so. Monitors are yours, and search engines publish their addresses. */
const SERVING: readonly Kind[] = ['monitor', 'search engine'];

/** The monitors and search engines that limits deny, the most denied first. */
export function exemptionsOf(demand: Demand): readonly Exemption[] {
  return demand.selected.clients
    .filter(({ kind, denied }) => denied > 0 && SERVING.includes(kind))
    .toSorted((one, other) => other.denied - one.denied)
    .map((client) => ({ client, evidence: demand.verdictOf(client).evidence, denied: client.denied }));
}

import type { Client } from './client.js';
import type { Demand } from './demand.js';
import type { Kind } from './kinds/kind.js';
import { SEVERAL_AGENTS } from './kinds/signs.js';
import { isPrivate } from './private-address.js';

/** A client that serves you, and that the limits deny. */
export interface Exemption {
  readonly client: Client;
  readonly evidence: string;
  readonly denied: number;
}

/** An attacker can name itself so. Monitors are yours, and search engines publish their addresses. */
const SERVING: readonly Kind[] = ['monitor', 'search engine'];

/** The monitors, search engines and programs of one's own network that limits deny, the most denied first. */
export function exemptionsOf(demand: Demand): readonly Exemption[] {
  return demand.selected.clients
    .filter((client) => client.denied > 0 && (SERVING.includes(client.kind) || isOwnProgram(demand, client)))
    .toSorted((one, other) => other.denied - one.denied)
    .map((client) => ({ client, evidence: demand.verdictOf(client).evidence, denied: client.denied }));
}

/** A health check or a cron job. A proxy has the agents of all whom it forwards. */
function isOwnProgram({ signs }: Demand, { kind, form, text, index }: Client): boolean {
  if (kind !== 'program' || form !== 'address' || !isPrivate(text)) return false;
  const { browsers, programs } = signs.of(index);
  return browsers + programs < SEVERAL_AGENTS;
}

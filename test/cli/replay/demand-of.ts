import type { Client } from '../../../packages/cli/src/replay/client.js';
import { Demand } from '../../../packages/cli/src/replay/demand.js';
import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import { loggedRequest } from '../../support/logged-request.js';
import type { Site } from './site.js';

/** What replay makes of a site, without the text of a log between. */
export function demandOf({ requests, start }: Site, kind: 'ip' | 'field' = 'ip'): Demand {
  const demand = new Demand({ kind, lengths: [60_000, 3_600_000], hasCosts: false, hasDetails: false });
  for (const { at, client, method, url, status, agent } of requests) {
    const time = start + at;
    const path = url.replace(/\?.*/, '');
    demand.add(loggedRequest({ time, ip: client.name, key: client.name, method, url, path, status, agent }));
  }
  demand.measure();
  return demand;
}

/** What a client of the demand really is. */
export function truthOf(site: Site): (client: Client) => Kind {
  const kinds = new Map(site.clients.map(({ name, kind }) => [name, kind]));
  return ({ name }) => kinds.get(name)!;
}

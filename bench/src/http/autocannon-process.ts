import autocannon, { type Options } from 'autocannon';
import { serve } from '../processes/serve.js';
import { CLIENT_HEADER, clients, CONNECTIONS } from './http-contestant.js';
import type { Load } from './load.js';

/** Requests of the clients that share a connection: building those of all clients for each takes longer than a slice. */
function requestsOf(connection: number) {
  const sharing = clients.filter((_, index) => index % CONNECTIONS === connection % CONNECTIONS);
  return sharing.map((client) => ({ headers: { [CLIENT_HEADER]: client } }));
}

const verbs = {
  run: (url: string, milliseconds: number) => load({ url, duration: milliseconds / 1e3 }),
  send: (url: string, requests: number) => load({ url, amount: requests }),
};

async function load(options: Options): Promise<Load> {
  globalThis.gc?.({ type: 'minor' });
  let connection = 0;
  const all: Options = {
    ...options,
    connections: CONNECTIONS,
    setupClient(client) {
      client.setRequests(requestsOf(connection));
      connection += 1;
    },
  };
  // How often it looks whether its time is over.
  const result = await autocannon({ ...all, sampleInt: 20 });
  return {
    answered: result['2xx'] + result.non2xx,
    refused: result.non2xx,
    // Its own duration is rounded to hundredths.
    seconds: (result.finish.getTime() - result.start.getTime()) / 1e3,
    p50: result.latency.p50 * 1e3,
    p99: result.latency.p99 * 1e3,
  };
}

export type AutocannonVerbs = typeof verbs;

serve(verbs);

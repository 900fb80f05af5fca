import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import { redisStore } from '@sluice/redis';
import type { Express } from 'express';
import { createApi } from './api.js';
import { localStripe } from './local-stripe.js';

// Processes with the same REDIS_URL share all counts, and one of them exports. LEDGER is the file of the ledger. Without
// STRIPE_KEY a server of this process stands for Stripe.
const { PORT: port = '3000', REDIS_URL: url, LEDGER: file, PAYMENT_SECRET: paymentSecret = 'a secret' } = process.env;
const { STRIPE_KEY: key } = process.env;
const servers: Server[] = [];

const store = url ? redisStore({ url }) : memoryStore();
const stripe = key ? { key } : { key: 'rk_test', url: await listen(localStripe(), '0') };
const { app, usage, ledger } = createApi(store, { stripe, paymentSecret, file });
const api = (await listen(app, port)).replace('127.0.0.1', 'localhost');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());

console.log(`\
Listening on ${api}. A month of free-key has 20 units, that of pro-key 100 000.
  curl -i ${api}/words/5 -H 'x-api-key: free-key'
  curl -s ${api}/usage -H 'x-api-key: free-key'
A payment adds credits, once for each id:
  curl -s ${api}/payments -H 'x-payment-secret: ${paymentSecret}' --json '{"id":"invoice 1","customer":"ada","units":50}'
A subscription bills the hours of a customer, also those before it:
  curl -s ${api}/subscriptions -H 'x-payment-secret: ${paymentSecret}' --json '{"customer":"ada","stripe":"cus_ada"}'
Stop it with Ctrl-C.`);

async function listen(of: Express, on: string): Promise<string> {
  const server = createServer(of).listen(Number(on), '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(): Promise<void> {
  for (const server of servers) server.close(() => undefined).closeAllConnections();
  await usage.close();
  ledger.close();
  await store.close();
}

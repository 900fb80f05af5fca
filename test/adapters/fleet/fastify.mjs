import { rateLimit } from '@sluice/fastify';
import fastify from 'fastify';
import { cost, limiter, serving } from './process.mjs';

/** @import { AddressInfo } from 'node:net' */

const app = fastify();
await app.register(rateLimit, { limiter, cost });
app.get('/', () => ({}));

await app.listen({ port: 0, host: '127.0.0.1' });
serving(/** @type {AddressInfo} */ (app.server.address()).port);

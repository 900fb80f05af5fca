// An application of Express, as an operator runs it beside the service: `node gateway.mjs FILE REDIS SECRET`.
import express from 'express';
import { rateLimit } from '@sluice/express';
import { openPolicies } from '@sluice/policies';
import { redisStore } from '@sluice/redis';

const [file = '', url = '', secret = ''] = process.argv.slice(2);
const store = redisStore({ url }, { deadline: '10s' });
const policies = await openPolicies(file, { secret });
/** @type {import('@sluice/core').Limiter<express.Request>} */
const limiter = policies.limiter('api', { store, secret });
const app = express();
app.get(
  '/peek',
  async (request, response) =>
    void response.json(await limiter.peek(/** @type {never} */ ({ ip: request.query['ip'] }))),
);
app.set('trust proxy', 1);
app.use(rateLimit({ limiter }));
app.get('/', (_request, response) => void response.send('ok'));
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`port ${port}`);
});
// No idle connection of a test that is slow is closed while its next request is on the way.
server.keepAliveTimeout = 600_000;

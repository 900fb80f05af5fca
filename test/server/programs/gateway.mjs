// An application of Express, as an operator runs it beside the service: `node gateway.mjs FILE REDIS SECRET`.
import express from '../../node_modules/express/index.js';
import { rateLimit } from '../../../packages/express/dist/esm/index.js';
import { openPolicies } from '../../../packages/policies/dist/esm/index.js';
import { redisStore } from '../../../packages/redis/dist/esm/index.js';

const [file, url, secret] = process.argv.slice(2);
const store = redisStore({ url }, { deadline: '10s' });
const policies = await openPolicies(file, { secret });
const limiter = policies.limiter('api', { store, secret });
const app = express();
app.get('/peek', async (request, response) => void response.json(await limiter.peek({ ip: request.query['ip'] })));
app.set('trust proxy', 1);
app.use(rateLimit({ limiter }));
app.get('/', (_request, response) => void response.send('ok'));
const server = app.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
// No idle connection of a test that is slow is closed while its next request is on the way.
server.keepAliveTimeout = 600_000;

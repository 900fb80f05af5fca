import { createRequire } from 'node:module';
import express from 'express';
import { byApiKey, rateLimit } from '@sluice/express';
import { printAnswers } from './out/answers.mjs';

const require = createRequire(import.meta.url);
const commonjs = { core: require('@sluice/http'), express: require('@sluice/express') };

const app = express();
const headers = ['draft-11'];
const limiter = commonjs.core.createLimiter({ name: 'hour', key: commonjs.core.byIp(), limit: 100, window: '1h' });
// One gate of each copy of the adapter, the second with a limiter of the other copy of core.
app.use(commonjs.express.rateLimit({ name: 'minute', key: byApiKey(), limit: 2, window: '1m', headers }));
app.use(rateLimit({ limiter, headers }));
app.get('/', (request, response) => void response.json(request.rateLimit.allowed));

const server = app.listen(0, () => void printAnswers(server));

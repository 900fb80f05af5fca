import { rateLimit } from '@sluice/express';
import { statusesOf } from '../support/responses.js';
import { siteOpener } from '../support/site.js';
import { warningCatcher } from '../support/warnings.js';
import { build, served } from './fastify/application.js';
import { versions } from './stacks/express.js';

const LIMIT = { limit: 1, window: '1m' } as const;
const REQUESTS = 120;

describe('a limiter that a handler creates for each request', () => {
  const open = siteOpener();
  const warnings = warningCatcher();

  it.each(versions)('limits no client of %s, and gives a warning', async (_name, express) => {
    const app = express();
    app.get('/', (request, response, next) => rateLimit(LIMIT)(request, response, next));
    app.get('/', (_request, response) => void response.send('served'));
    const site = await open(app);

    const statuses = statusesOf(await site.sendTimes(REQUESTS));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(warnings()).toEqual([['SLUICE_LIMITER_PER_REQUEST', expect.stringContaining('const limit = rateLimit(')]]);
  });

  it('limits no client of Fastify, and gives a warning', async () => {
    const app = await build({ options: { global: false } });
    app.get('/', { onRequest: (request, reply, done) => app.rateLimit(LIMIT)(request, reply, done) }, served);
    const site = await open(app);

    const statuses = statusesOf(await site.sendTimes(REQUESTS));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(warnings()).toEqual([['SLUICE_LIMITER_PER_REQUEST', expect.stringContaining('outside the handler')]]);
  });

  it.each(versions)('gives no warning if the application of %s creates it once', async (_name, express) => {
    const app = express();
    app.get('/', rateLimit(LIMIT), (_request, response) => void response.send('served'));
    const site = await open(app);

    const statuses = statusesOf(await site.sendTimes(REQUESTS));

    expect(statuses.slice(0, 2)).toEqual([200, 429]);
    expect(warnings()).toEqual([]);
  });
});

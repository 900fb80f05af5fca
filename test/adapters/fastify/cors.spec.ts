import cors from '@fastify/cors';
import { rateLimit } from '@sluice/fastify';
import { limitFields, statusesOf } from '../../support/responses.js';
import { hourly, opener, served } from './application.js';

const ORIGIN = 'https://app.example';

describe('the plugin for Fastify with @fastify/cors', () => {
  const open = opener();
  const options = { origin: ORIGIN, exposedHeaders: ['X-Total'] };
  const headers = { Origin: ORIGIN };
  const preflight = { method: 'OPTIONS', headers: { ...headers, 'Access-Control-Request-Method': 'GET' } };

  it.each(['before', 'after'])('C33 counts no preflight with cors %s it', async (order) => {
    const site = await open({
      async after(app) {
        if (order === 'before') await app.register(cors, options);
        await app.register(rateLimit, hourly(1));
        if (order === 'after') await app.register(cors, options);
        app.get('/', served);
      },
    });

    const responses = await site.sendEach([preflight, preflight, {}, preflight, {}]);

    expect(statusesOf(responses)).toEqual([204, 204, 200, 204, 429]);
    expect(responses[3]!.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(limitFields(responses[3]!)).toEqual({});
  });

  it('C33 exposes its fields next to those of cors', async () => {
    const site = await open({
      before: (app) => app.register(cors, options),
      options: hourly(1),
      after: (app) => app.get('/', served),
    });

    const [admitted, denied] = await site.sendTimes(2, { headers });

    const fields = 'X-Total, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
    expect(admitted!.headers['access-control-expose-headers']).toBe(fields);
    expect(denied!.headers['access-control-expose-headers']).toBe(`${fields}, Retry-After`);
    expect(denied!.headers['access-control-allow-origin']).toBe(ORIGIN);
  });
});

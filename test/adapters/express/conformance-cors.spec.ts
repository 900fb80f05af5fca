import { rateLimit } from '@sluice/express';
import cors from 'cors';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

describe.each(versions)('For a script of another origin, a limiter on %s', (_version, express) => {
  const open = siteOpener();

  const origin = { Origin: 'https://app.example.com' };

  it('C33 lets it read every field that says something about limits, beside those of the application', async () => {
    const site = await open(
      served(
        express,
        cors({ exposedHeaders: ['X-Total'] }),
        rateLimit({ limit: 1, window: '1h', headers: ['x-ratelimit', 'draft-11'] }),
      ),
    );

    for (const answer of await site.askEach([{ headers: origin }, { headers: origin }])) {
      const exposed = answer.headers['access-control-expose-headers']!.toLowerCase().split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['x-total', ...Object.keys(limitFields(answer))]));
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(new Set(exposed).size).toBe(exposed.length);
    }
  });

  it('C33 does not count what its browser asks before, wherever the limiter stands', async () => {
    const preflight = { method: 'OPTIONS', headers: { ...origin, 'Access-Control-Request-Method': 'PUT' } };

    for (const order of [
      [cors(), rateLimit({ limit: 1, window: '1h' })],
      [rateLimit({ limit: 1, window: '1h' }), cors()],
    ]) {
      const site = await open(served(express, ...order));
      const answers = await site.askEach([preflight, preflight, preflight, {}]);

      expect(statusesOf(answers)).toEqual([204, 204, 204, 200]);
      expect(answers[0]!.headers['access-control-allow-origin']).toBe('*');
      expect(limitFields(answers[0]!)).toEqual({});
    }
  });

  it('C33 counts any other request with such headers, and any other OPTIONS request', async () => {
    const asking = { ...origin, 'Access-Control-Request-Method': 'PUT' };
    const questions = [
      { headers: asking },
      { method: 'POST', headers: asking },
      { method: 'OPTIONS', headers: origin },
      { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } },
      { method: 'OPTIONS' },
    ];
    const site = await open(served(express, rateLimit({ limit: 4, window: '1h' })));

    const answers = await site.askEach(questions);

    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429]);
  });
});

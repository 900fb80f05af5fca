import { byApiKey, byIp, byJwtSubject, compose } from '@sluice/express';
import { commandsDuring } from '../../support/monitor.js';
import { texts } from './made-up.js';
import { LIMIT } from './site.js';
import { claims, verifyToken } from './token.js';
import { MARK, tells } from './traces.js';
import { inEveryWorldOfRedis } from './worlds.js';

const SECRET = 'not told either';

describe('Identities that a client makes up', () => {
  inEveryWorldOfRedis((world) => {
    it('never go over the wire to Redis', async () => {
      const site = await world.open({
        limiter: {
          secret: SECRET,
          tiers: [byApiKey(), byJwtSubject(), compose(byIp(), byApiKey()), () => MARK].map((key, index) => ({
            name: `hostile-${index}`,
            key,
            limit: LIMIT,
            window: '1h' as const,
          })),
        },
        before: [verifyToken],
      });

      const commands = await commandsDuring(world.redis, () =>
        site.spending(texts.map((text) => ({ ...claims({ sub: text }), lines: [`X-Api-Key: ${text}`] }))),
      );

      const told = commands.flatMap(({ arguments: each }) => each);
      const telling = told.filter((text) => tells(text) || text.includes('127.0.0.1') || text.includes(SECRET));
      expect(commands.length).toBeGreaterThan(texts.length);
      expect(telling).toEqual([]);
    });
  });
});

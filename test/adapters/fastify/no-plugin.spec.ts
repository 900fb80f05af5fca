import { channel, subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel';
import { rateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { statusesOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';
import { warningCatcher } from '../../support/warnings.js';
import { build, hourly, limited, served } from './application.js';

const CHECK = Symbol.for('sluice.fastify.check');

describe('config.rateLimit of Fastify', () => {
  const open = siteOpener();
  const warnings = warningCatcher();

  it.each<[string, (app: FastifyInstance) => unknown]>([
    ['without the plugin', (app) => app.get('/search', limited(1), served)],
    [
      'beside the scope of the plugin',
      async (app) => {
        await app.register(async (child) => {
          await child.register(rateLimit, hourly(1));
          child.get('/limited', limited(1), served);
        });
        app.get('/search', limited(1), served);
      },
    ],
    [
      'before the scope of the plugin',
      async (app) => {
        app.get('/search', limited(1), served);
        await app.register(async (child) => child.register(rateLimit, hourly(1)));
      },
    ],
  ])('gives a warning at the start %s', async (_where, add) => {
    const app = await build({ before: add });

    await app.ready();

    expect(warnings()).toEqual([
      ['SLUICE_NO_FASTIFY_PLUGIN', expect.stringMatching(/^route GET \/search: .*await app\.register\(rateLimit/)],
    ]);
    expect(statusesOf(await (await open(app)).sendTimes(2, { path: '/search' }))).toEqual([200, 200]);
  });

  it('gives no warning in the scope of a plugin, of a scope around it, and without a limit', async () => {
    const app = fastify();
    app.get('/health', { config: { rateLimit: false } }, served).get('/', served);
    await app.register(rateLimit, hourly(5));
    app.get('/search', limited(1), served);
    await app.register(async (child) => child.get('/child', limited(1), served), { prefix: '/v1' });

    await app.ready();

    expect(warnings()).toEqual([]);
    await app.close();
  });

  it('is checked by the latest copy of the package, and holds no other copy', async () => {
    const created = channel('fastify.initialization') as { hasSubscribers: boolean; [CHECK]?: ChannelListener };
    const first = created[CHECK];

    await jest.isolateModulesAsync(async () => void (await import('@sluice/fastify')));

    const latest = created[CHECK]!;
    expect(latest).not.toBe(first);
    unsubscribe('fastify.initialization', latest);
    expect(created.hasSubscribers).toBe(false);
    subscribe('fastify.initialization', latest);
  });

  it('gives no warning for limits of another plugin that decorates rateLimit', async () => {
    const app = fastify().decorate('rateLimit', (() => {}) as never);
    app.get('/', limited(1), served);

    await app.ready();

    expect(warnings()).toEqual([]);
    await app.close();
  });
});

import { byHeader, createLimiter, memoryStore, rateLimit, type HookOptions } from '@sluice/fastify';
import { fakeClock } from '@sluice/core/testing';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { statusesOf } from '../express/fields.js';
import { paths, remaining, siteOpener } from './site.js';

const served = () => 'served';

describe('A request', () => {
  const open = siteOpener();

  async function appWith(options: Partial<HookOptions>): Promise<FastifyInstance> {
    const app = fastify();
    await app.register(rateLimit, { name: 'hour', limit: 5, window: '1h', ...options } as HookOptions);
    return app;
  }

  it('takes the cost that is told', async () => {
    const app = await appWith({ cost: 2 });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach([{}, {}, {}]);

    expect(remaining(answers)).toEqual([3, 1, 0]);
    expect(statusesOf(answers)).toEqual([200, 200, 429]);
  });

  it('takes the cost that a function finds in it, or one that its tier has', async () => {
    const app = fastify();
    await app.register(rateLimit, {
      tiers: [
        { name: 'requests', limit: 5, window: '1h', cost: 1 },
        { name: 'units', limit: 10, window: '1h' },
      ],
      cost: ({ query }: FastifyRequest) => Number((query as { cost: string }).cost),
      headers: ['draft-11'],
    });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach(paths('/?cost=4', '/?cost=0', '/?cost=11', '/?cost=7'));

    expect(answers.map(({ headers }) => headers['ratelimit']?.match(/r=\d+/g)?.join())).toEqual([
      'r=6,r=4',
      'r=6,r=3',
      'r=0,r=3',
      'r=0,r=3',
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 422, 429]);
  });

  it.each([
    ['skip', ({ url }: FastifyRequest) => url === '/health'],
    ['skip, async', async ({ url }: FastifyRequest) => url === '/health'],
  ])('is neither counted nor told anything with %s', async (_how, skip) => {
    const app = await appWith({ skip, limit: 1 });
    app.get('/', served);
    app.get('/health', served);
    const site = await open(app);

    const answers = await site.askEach(paths('/health', '/health', '/', '/health', '/'));

    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429]);
    expect(remaining(answers)).toEqual([undefined, undefined, 0, undefined, 0]);
  });

  it('has the tiers of its plan', async () => {
    const app = fastify();
    const free = [{ name: 'hour', key: byHeader('x-user'), limit: 1, window: '1h' }] as const;
    const pro = [{ name: 'hour', key: byHeader('x-user'), limit: 3, window: '1h' }] as const;
    await app.register(rateLimit, {
      tiers: ({ headers }: FastifyRequest) => (headers['x-plan'] === 'pro' ? pro : free),
    });
    app.get('/', served);
    const site = await open(app);
    const as = (plan: string) => ({ headers: { 'X-Plan': plan, 'X-User': plan } });

    const answers = await site.askEach([as('free'), as('pro'), as('free'), as('pro')]);

    expect(statusesOf(answers)).toEqual([200, 200, 429, 200]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['1', '3', '1', '3']);
  });

  it('has the limit that a function of its route gives it, and none with null', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const limit = ({ headers }: FastifyRequest) => (headers['x-plan'] === 'pro' ? null : 1);
    app.get('/', { config: { rateLimit: { limit, window: '1h' } } }, served);
    const site = await open(app);
    const pro = { headers: { 'X-Plan': 'pro' } };

    expect(statusesOf(await site.askEach([{}, pro, {}, pro]))).toEqual([200, 200, 429, 200]);
  });

  it('is counted and let through by a shadow tier', async () => {
    const app = await appWith({ mode: 'shadow', limit: 1 });
    app.get('/', (request) => request.rateLimit);
    const site = await open(app);

    const answers = await site.askEach([{}, {}]);

    expect(statusesOf(answers)).toEqual([200, 200]);
    expect(remaining(answers)).toEqual([undefined, undefined]);
    expect(JSON.parse(answers[1]!.text)).toMatchObject({ allowed: true, outcomes: [{ shadow: true, allowed: false }] });
  });

  describe('is given back with refundWhen', () => {
    /** Answers with the status that its path says. */
    const answering = (app: FastifyInstance) =>
      app.get('/:status', ({ params }, reply) =>
        reply.code(Number((params as { status: string }).status)).send('served'),
      );

    it('by the status of its response', async () => {
      const app = await appWith({ refundWhen: (status) => status < 400 });
      answering(app);
      const site = await open(app);

      const answers = await site.askEach(paths('/200', '/401', '/204', '/500', '/200'));

      expect(remaining(answers)).toEqual([4, 4, 3, 3, 2]);
    });

    it('by what an async function finds in it', async () => {
      const refunded: string[] = [];
      const app = await appWith({
        refundWhen: async (status, { url }) => {
          refunded.push(`${status} ${url}`);
          return url === '/304';
        },
      });
      answering(app);
      const site = await open(app);

      const answers = await site.askEach(paths('/304', '/200', '/200'));

      expect(remaining(answers)).toEqual([4, 4, 3]);
      expect(refunded).toEqual(['304 /304', '200 /200', '200 /200']);
    });

    it('when it is injected', async () => {
      const app = await appWith({ refundWhen: () => true });
      answering(app);

      const answers = [await app.inject('/200'), await app.inject('/200')];
      await app.close();

      expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '4']);
    });

    it('and not when it was denied', async () => {
      const clock = fakeClock();
      const store = memoryStore({ clock });
      const app = await appWith({ store, limit: 1, refundWhen: (status) => status === 429 });
      answering(app);
      const site = await open(app);

      const answers = await site.askEach(paths('/200', '/200', '/200'));

      expect(statusesOf(answers)).toEqual([200, 429, 429]);
    });
  });

  it('is counted once for each limiter that is met, and once more for one that is met twice', async () => {
    const limiter = createLimiter<FastifyRequest>({ key: () => 'all', limit: 10, window: '1h' });
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = fastify();
    await app.register(rateLimit, { limiter });
    app.get('/', { preHandler: app.rateLimit(limiter) }, served);
    const site = await open(app);

    await site.ask();

    expect(warned).toHaveBeenCalledWith(
      expect.stringContaining('counted a request twice'),
      expect.objectContaining({ code: 'SLUICE_COUNTED_TWICE' }),
    );
    warned.mockRestore();
    expect(await limiter.peek({} as FastifyRequest)).toMatchObject({ outcomes: [{ remaining: 8 }] });
  });
});

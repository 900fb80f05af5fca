import { createTRPCClient, httpBatchLink, httpBatchStreamLink, TRPCClientError } from '@trpc/client';
import { limiter, server, type Router } from '../../../examples/recipes/trpc.js';
import { closeServer, listen, siteAt, type Site } from '../../support/site.js';
import { forged } from '../../docs/attacks/requests.js';

describe('the recipe trpc', () => {
  let site: Site;

  beforeAll(async () => {
    site = siteAt(await listen(server), () => closeServer(server));
  });

  beforeEach(() => limiter.reset({ ip: '127.0.0.1' }));

  afterAll(() => site.close());

  it('tells a client by TOO_MANY_REQUESTS how long it has to wait', async () => {
    const client = createTRPCClient<Router>({ links: [httpBatchLink({ url: `http://127.0.0.1:${site.port}` })] });

    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => client.hello.query()));

    const [denied] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(denied).toBeInstanceOf(TRPCClientError);
    expect((denied as TRPCClientError<Router>).data).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfter: expect.any(Number),
    });
  });

  it('tells the wait to each denied call of a streamed batch', async () => {
    const client = createTRPCClient<Router>({ links: [httpBatchStreamLink({ url: `http://127.0.0.1:${site.port}` })] });

    const answers = await Promise.allSettled(Array.from({ length: 7 }, () => client.hello.query()));

    const denied = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    expect(denied).toHaveLength(2);
    for (const error of denied) {
      expect((error as TRPCClientError<Router>).data).toMatchObject({ retryAfter: expect.any(Number) });
    }
  });

  it('puts the wait into Retry-After', async () => {
    const responses = await site.sendTimes(6, { path: '/hello' });

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(responses[5]!.headers['retry-after']).toMatch(/^(?:[1-5]\d|60)$/);
  });

  it('admits five calls of a client that batches, forges its address and sends at the same time', async () => {
    const batch = { path: `/${Array.from({ length: 20 }, () => 'hello').join()}?batch=1` };
    const save = { method: 'POST', path: '/save', headers: { 'content-type': 'application/json' }, body: '{}' };
    const tries = [batch, save, ...forged('/hello'), { path: '/hello?input=%22x%22' }, batch];

    const responses = await Promise.all(tries.map((each) => site.send(each)));

    const results = responses.flatMap(({ text }) => JSON.parse(text) as { result?: unknown }[] | { result?: unknown });
    expect(results.filter(({ result }) => result !== undefined)).toHaveLength(5);
  });
});

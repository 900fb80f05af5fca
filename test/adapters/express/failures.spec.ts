import { memoryStore, rateLimit, redisStore, type RateLimitOptions } from '@sluice/express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { closedPort } from '../../../packages/core/src/testing/internal/listener.js';
import { limitFields } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

const mine = new Error('mine');
const sync = (): never => {
  throw mine;
};
const soon = () => Promise.reject(mine);
const later = async (): Promise<never> => {
  await new Promise(setImmediate);
  throw mine;
};

describe.each(versions)('An error on %s', (_version, express) => {
  const open = siteOpener();

  /** What came of a request: its answer, what the error handler was given, and whether it was let through. */
  const outcome = async (options: RateLimitOptions, times = 1) => {
    const errors: unknown[] = [];
    let reached = 0;
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.status(500).send('failed');
    };
    const app = served(express, rateLimit(options), (_request, _response, next) => {
      reached += 1;
      next();
    });
    const answers = await (await open(app.use(onError))).askTimes(times);
    return { answer: answers.at(-1)!, errors, reached };
  };

  const limit = { limit: 1, window: '1h' } as const;
  describe.each([
    ['throws', sync],
    ['rejects', soon],
    ['rejects later', later],
  ])('of a function that %s reaches the error handler once', (_way, fail) => {
    it.each<[string, RateLimitOptions]>([
      ['skip', { ...limit, skip: fail }],
      ['cost', { ...limit, cost: fail }],
      ['key', { ...limit, key: fail }],
      ['limit', { ...limit, limit: fail }],
      ['record', { ...limit, record: fail }],
      ['cost', { tiers: [{ ...limit, cost: fail }] }],
      ['tiers', { tiers: fail }],
    ])('%s: as an error that says which, with no request let through', async (name, options) => {
      const { answer, errors, reached } = await outcome(options);

      expect(answer).toMatchObject({ status: 500, text: 'failed' });
      expect(errors).toEqual([expect.objectContaining({ name: 'UsageError', code: 'FUNCTION_FAILED', cause: mine })]);
      expect((errors[0] as Error).message).toContain(name);
      expect(reached).toBe(0);
      expect(limitFields(answer)).toEqual({});
    });

    it('body: as an error that says which', async () => {
      const { answer, errors } = await outcome({ ...limit, body: fail }, 2);

      expect(answer).toMatchObject({ status: 500, text: 'failed' });
      expect(errors).toEqual([expect.objectContaining({ code: 'FUNCTION_FAILED', cause: mine })]);
    });
  });

  it.each<[string, RateLimitOptions, string]>([
    ['a cost that is no number', { ...limit, cost: () => 'a' as unknown as number }, 'COST_INVALID'],
    ['a cost below 0', { ...limit, cost: () => -1 }, 'COST_INVALID'],
    ['a cost that is missing', { ...limit, cost: (() => undefined) as unknown as () => number }, 'COST_INVALID'],
    ['a key that is missing', { ...limit, key: (() => undefined) as unknown as () => string }, 'FUNCTION_FAILED'],
    ['a limit that is no number', { ...limit, limit: () => Number.NaN }, 'FUNCTION_FAILED'],
    ['tiers that are no array', { tiers: (() => ({})) as unknown as () => [] }, 'FUNCTION_FAILED'],
  ])('of %s reaches the error handler once', async (_kind, options, code) => {
    const { answer, errors, reached } = await outcome(options);

    expect(answer.status).toBe(500);
    expect(errors).toEqual([expect.objectContaining({ name: 'UsageError' })]);
    expect({ code, reached }).toEqual({ code: (errors[0] as { code: string }).code, reached: 0 });
  });

  it.each([
    ['local', 200, 1],
    ['allow', 200, 1],
    ['deny', 503, 0],
  ] as const)('of the store is none: %s answers with %d', async (onStoreFailure, status, times) => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    const store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });

    const { answer, errors, reached } = await outcome({ store, name: 'hour', onStoreFailure, ...limit });

    expect({ status: answer.status, errors, reached }).toEqual({ status, errors: [], reached: times });
    await store.close();
  });

  it('of a store that was closed is none: it is answered with 503', async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    const store = memoryStore();
    store.close();

    const { answer, errors, reached } = await outcome({ store, name: 'hour', ...limit });

    expect({ status: answer.status, errors, reached }).toEqual({ status: 503, errors: [], reached: 0 });
  });

  it.each<[string, RateLimitOptions['skip']]>([
    ['answers at once', () => false],
    ['has to be waited for', async () => false],
  ])('of a handler behind a limiter that %s reaches the error handler once', async (_kind, skip) => {
    const errors: unknown[] = [];
    const handler: RequestHandler = () => {
      throw mine;
    };
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.status(500).end();
    };
    const app = express();
    app.use(rateLimit({ ...limit, skip: skip! }), handler, onError);

    const answer = await (await open(app)).ask();

    expect(errors).toEqual([mine]);
    expect(limitFields(answer)).toMatchObject({ 'x-ratelimit-remaining': '0' });
  });
});

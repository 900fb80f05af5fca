import { createLimiter, memoryStore, type ConfigError, type Store, type Tier } from '../../../core/src/index.js';
import { balance, notices } from '../../../quotas/src/index.js';
import { FailingStore } from '../../../../test/support/failing-store.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { line, type LineOptions } from './index.js';

interface Around {
  readonly lined?: Partial<LineOptions<never>>;
  readonly others?: readonly object[];
  readonly store?: Store;
  readonly secret?: string;
}

const bucket = { algorithm: 'token-bucket', limit: 60, window: '1m' };
const fixed = { algorithm: 'fixed-window', limit: 60, window: '1h' };

/** The error of a limiter whose tier "shared" has a line. */
function refusalOf(
  options: object,
  { lined, others = [], store = memoryStore(), secret }: Around = {},
): object | undefined {
  const tier = { name: 'shared', key: () => 'shared', line: line({ longest: '5m', ...lined }), ...options };
  const tiers = [tier, ...others] as unknown as Tier<object>[];
  try {
    createLimiter<object>({ store, tiers, ...(secret !== undefined && { secret }) });
    return undefined;
  } catch (error) {
    // What was refused is the value of the error, and jest would print all of it.
    const { name, code, option, tier: owner, message } = error as ConfigError;
    return { name, code, option, tier: owner, message };
  }
}

const second = { ...bucket, name: 'second', key: () => 'shared', line: line({ longest: '5m', by: () => 'ada' }) };
const windows = [
  { limit: 10, window: '1m' },
  { limit: 100, window: '1h' },
];

const REFUSED: readonly (readonly [what: string, option: string, reason: string, options: object, around?: Around])[] =
  [
    [
      'a lease',
      'lease',
      'lease cannot be combined with line, because each process that holds units ahead would admit requests before those that were told to come: leave one of them out',
      { ...bucket, lease: { units: 5, duration: '1s' } },
    ],
    ...(['all', 'denied'] as const).map(
      (charge) =>
        [
          `charge: '${charge}'`,
          'charge',
          'charge cannot be combined with line, because each denied request that is charged would make the wait of the others longer than they were told: leave one of them out',
          { ...bucket, charge },
          { others: [{ ...fixed, name: 'other', key: () => 'shared' }] },
        ] as const,
    ),
    [
      'an overdraft',
      'overdraft',
      'overdraft cannot be combined with line, because a cost that is settled later would make the wait of others longer than they were told: leave one of them out',
      { ...bucket, overdraft: 10 },
    ],
    [
      'notices',
      'notices',
      'notices cannot be combined with line, because a window that gives notice is a quota, whose clients are told its end: leave one of them out',
      { ...fixed, notices: notices(0.5, 1) },
    ],
    [
      'a queue',
      'line',
      "line cannot be combined with algorithm: 'leaky-bucket', because a request waits in the queue itself: use wait or queue alone, or token-bucket with a line",
      { algorithm: 'leaky-bucket', limit: 60, window: '1m', queue: 5 },
    ],
    [
      'delays that grow',
      'line',
      "line cannot be combined with algorithm: 'backoff', because its delays grow by the strikes of one client, and not by the units of others: leave line out",
      { algorithm: 'backoff', limit: 3, window: '1h', delays: ['30s'], forgive: 'all' },
    ],
    [
      'several windows',
      'line',
      "line cannot be combined with algorithm: 'multi-window', because each of its windows would have another line: write one tier for each window, and give one of them the line",
      { algorithm: 'multi-window', windows },
    ],
    ...([{}, { wait: '5s' }] as const).map(
      (wait) =>
        [
          `requests in flight${'wait' in wait ? ' that wait' : ''}`,
          'line',
          "line cannot be combined with algorithm: 'concurrency', because no store knows when a request ends: requests in flight wait by the option wait",
          { algorithm: 'concurrency', limit: 5, ...wait },
        ] as const,
    ),
    [
      'a pause',
      'line',
      "line cannot be combined with algorithm: 'pause', because all denied requests may come when the pause is over: leave line out",
      { algorithm: 'pause' },
    ],
    [
      'a balance',
      'line',
      "line cannot be combined with algorithm: 'balance', because no time brings units back: leave line out",
      { algorithm: balance({ covers: ['other'] }) },
      { others: [{ ...fixed, name: 'other', key: () => 'shared' }] },
    ],
    [
      'a bucket that refills in less than a second',
      'line',
      'line needs a budget that takes at least 1 s to refill, because clients are told whole seconds, and got one of 50 ms: leave line out, or raise burst',
      { algorithm: 'token-bucket', limit: 100, window: '1s', burst: 5 },
    ],
    [
      'a window of less than a second',
      'line',
      'line needs a budget that takes at least 1 s to refill, because clients are told whole seconds, and got one of 500 ms: leave line out, or raise window',
      { limit: 10, window: '500ms' },
    ],
    [
      'places without a secret',
      'line.keep',
      'line.keep needs the option secret of the limiter, because without it anyone could make a place: set secret, or write by',
      bucket,
      { lined: { keep: '2s' } },
    ],
    [
      'places in a bucket of too small a burst',
      'line.keep',
      'line.keep needs a budget of twice what comes back in that time and one unit more, or what is kept would never be free: it has 4 units, and 5 are the least for 2 s. Write a shorter keep, or raise burst',
      { ...bucket, burst: 4 },
      { lined: { keep: '2s' }, secret: 'pepper' },
    ],
    [
      'places of callers in a window of too small a limit',
      'line.keep',
      'line.keep needs a budget of twice what comes back in that time and one unit more, or what is kept would never be free: it has 2 units, and 3 are the least for 2 s. Write a shorter keep, or raise limit',
      { limit: 2, window: '1h' },
      { lined: { by: () => 'ada' } },
    ],
  ];

describe('a tier with a line', () => {
  warningCatcher();

  // Jest takes a parameter that its row lacks for a callback, and waits for it: each row has all of them.
  it.each(
    REFUSED.map(([what, option, reason, options, around = {}]) => [what, option, reason, options, around] as const),
  )('is refused at the start with %s, by the option %s', (_what, option, reason, options, around) => {
    expect(refusalOf(options, around)).toMatchObject({
      name: 'ConfigError',
      code: 'OPTION_INVALID',
      option,
      tier: 'shared',
      message: expect.stringContaining(`"shared": ${reason}`),
    });
  });

  it('is refused at the start beside another one, which the error names with both ways out', () => {
    expect(refusalOf(bucket, { others: [second] })).toMatchObject({
      code: 'OPTION_INVALID',
      option: 'line',
      tier: 'second',
      message: expect.stringContaining(
        '"second": line must stand in one tier of a limiter, because a client that two lines tell different moments loses its place in one of them: leave it out of "second" or of "shared"',
      ),
    });
  });

  it('is refused at the start on a store that someone else has written', () => {
    expect(refusalOf(bucket, { store: new FailingStore() })).toMatchObject({
      code: 'OPTION_INVALID',
      option: 'line',
      tier: 'shared',
      message: expect.stringContaining(
        'line needs memoryStore() or redisStore(…), because another store has no place for the end of the line',
      ),
    });
  });

  it.each<[string, object, Around]>([
    ['a bucket that refills in a second', { algorithm: 'token-bucket', limit: 10, window: '1s' }, {}],
    ['a window of a second', { limit: 10, window: '1s' }, {}],
    [
      'places in the smallest burst that they take',
      { ...bucket, burst: 5 },
      { lined: { keep: '2s' }, secret: 'pepper' },
    ],
    ['callers without a secret', { ...bucket, burst: 5 }, { lined: { by: () => 'ada' } }],
    ['a tier without a line beside it', bucket, { others: [{ ...fixed, name: 'other', key: () => 'shared' }] }],
  ])('is taken with %s', (_what, options, around) => {
    expect(refusalOf(options, around)).toBeUndefined();
  });
});

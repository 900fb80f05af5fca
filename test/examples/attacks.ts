import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expectAdmitted, expectOneBudget, forged, post, times } from '../docs/attacks/requests.js';
import { statusesOf } from '../support/responses.js';
import type { Site } from '../support/site.js';

/** A client that tries to get more from an example than the example says. */
export interface ExampleAttack {
  /** Folder in `examples`. */
  readonly example: string;
  /** What the client tries, as the test names it. */
  readonly tries: string;
  /** What must hold. A spec of its own, where the example needs more than requests. */
  readonly holds: ((site: Site) => Promise<void>) | string;
}

const NONE = Buffer.from('{"alg":"none"}').toString('base64url');
const ADA = Buffer.from('{"sub":"ada","iss":"sluice-example"}').toString('base64url');

const api: readonly Omit<ExampleAttack, 'example'>[] = [
  {
    tries: 'forged addresses, a method override, `If-None-Match: *`, HEAD on two routes of one budget',
    async holds(site) {
      await expectOneBudget(site, 100, [...forged('/public'), { path: '/public', method: 'HEAD' }]);
      const searches = (await site.sendEach(forged('/search'))).map(({ headers }) => headers['x-ratelimit-remaining']);
      expect(searches.at(-1)).toBe(String(91 - 5 * searches.length));
    },
  },
  {
    tries: 'other spellings of an API key; made-up keys, which use up the limit of their address',
    async holds(site) {
      const key = (name: string) => ({ path: '/items', headers: { 'X-API-Key': name } });
      await expectOneBudget(site, 5, [' free-key', 'free-key ', 'free-key'].map(key));
      await expectOneBudget(site, 197, ['FREE-KEY', '__proto__', 'made-up', '', 'free-key, free-key'].map(key));
    },
  },
  {
    tries: 'thirty guesses at the same time, in other spellings, from forged addresses',
    holds: (site) => expectGuesses(site, 6),
  },
  {
    tries: 'tokens that nothing has signed',
    async holds(site) {
      const tokens = [`${NONE}.${ADA}.`, `${NONE}.${ADA}`, 'ada', ''].map((token) => `Bearer ${token}`);
      const responses = await site.sendEach(
        tokens.map((token) => ({ path: '/me', headers: { Authorization: token } })),
      );
      expect(statusesOf(responses)).toEqual([401, 401, 401, 401]);
    },
  },
];

/** Guesses of one account that reach the check of the password. */
async function expectGuesses(site: Site, count: number): Promise<void> {
  const spellings = ['ada', 'Ada', ' ada ', '\uFF21da', 'ADA\t'];
  const guesses = times(30, 0).map((_, index) => {
    const body = { user: spellings[index % spellings.length], password: `guess-${index}` };
    return site.send(post(body, '/login', { 'X-Forwarded-For': `203.0.113.${index}` }));
  });
  const statuses = statusesOf(await Promise.all(guesses));
  expect(statuses.filter((status) => status === 401)).toHaveLength(count);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30 - count);
}

/** The attacks on all examples. */
export const exampleAttacks: readonly ExampleAttack[] = [
  ...['express-api', 'fastify-api', 'nest-api'].flatMap((example) => api.map((attack) => ({ example, ...attack }))),
  {
    example: 'hono-api',
    tries: 'forged addresses, a method override, `If-None-Match: *`, HEAD',
    holds: (site) => expectOneBudget(site, 100, [...forged('/public'), { path: '/public', method: 'HEAD' }]),
  },
  {
    example: 'hono-api',
    tries: 'a new API key for each request; six streams at the same time, from forged addresses',
    async holds(site) {
      const keys = times(5, 0).map((_, index) => ({ path: '/items', headers: { 'X-API-Key': `made-up-${index}` } }));
      const left = (await site.sendEach(keys)).map(
        ({ headers }) => /"items-address";r=(\d+)/.exec(headers['ratelimit']!)?.[1],
      );
      expect(left).toEqual(['199', '198', '197', '196', '195']);
      const streams = times(6, 0).map((_, index) => site.start({ path: '/ticks', from: `203.0.113.${index}` }));
      const answers = await Promise.all(streams.map((each) => once(each, 'response') as Promise<[IncomingMessage]>));
      for (const stream of streams) stream.on('error', () => undefined).destroy();
      expect(answers.filter(([{ statusCode }]) => statusCode === 200)).toHaveLength(2);
    },
  },
  {
    example: 'hono-api',
    tries: 'thirty guesses at the same time, in other spellings; to learn which accounts exist from headers',
    async holds(site) {
      const users = ['bob', 'eve', 'ada', 'mallory'].map((user) => post({ user, password: 'guess' }, '/login'));
      const answers = (await site.sendEach(users)).map(({ status, headers, text }) => {
        const { date: _date, ...others } = headers;
        return { status, text, others };
      });
      expect(answers).toEqual(times(4, answers[0]));
      // One of six was for ada above.
      await expectGuesses(site, 5);
    },
  },
  {
    example: 'decorators',
    tries: 'ten notes at the same time from forged addresses; notes that are objects, or no JSON',
    async holds(site) {
      const notes = [{ note: { toString: 1 } }, [], {}, { note: 'Buy tea' }].map((note) => post(note, '/notes'));
      const text = { method: 'POST', path: '/notes', body: 'x' };
      await expectAdmitted(site, 4, [...notes, text, ...forged('/NOTES/', 'POST')]);
    },
  },
  {
    example: 'llm-proxy',
    tries: 'calls of tools, reasoning, cached prompts, CR LF; leaving before the usage; made-up keys; wrong limits',
    holds: 'test/examples/llm-proxy-attacks.spec.ts',
  },
  {
    example: 'metered-api',
    tries:
      'other spellings of keys and numbers, words of 0 units, payments without the secret or twice, bills that fail',
    holds: 'test/examples/metered-api.spec.ts',
  },
  {
    example: 'policies',
    tries: 'requests of a tenant to two processes at the same time, before and after its limit changes',
    holds: 'test/examples/policies.spec.ts',
  },
  {
    example: 'one-limit',
    tries: 'requests of one address by the API and by the service at the same time, for a budget of each',
    holds: 'test/examples/one-limit.spec.ts',
  },
  {
    example: 'recipes',
    tries: 'batches, aliases, reconnects, new sessions, forged addresses, calls at the same time',
    holds: 'test/examples/recipes/recipes.spec.ts',
  },
  {
    example: 'agents-one-key',
    tries: 'agents that come early, made-up tokens, names that an agent writes itself for a second place',
    holds: 'test/examples/agents-one-key.spec.ts',
  },
  {
    example: 'overload-api',
    tries: 'reports that fill the pool, a client that calls its report critical, clients that leave before their turn',
    holds: 'test/postgres/overload-api.spec.ts',
  },
  {
    example: 'postgres-store',
    tries: 'the suite of stores; two processes, with tiers in any order; a process that holds a key or stops half way',
    holds: 'test/postgres/postgres-store.spec.ts',
  },
  {
    example: 'sqlite-store',
    tries: 'the suite of stores: requests at the same time, costs, refunds, keys with any characters',
    holds: 'test/examples/sqlite-store.spec.ts',
  },
];

import { loginTiers, memoryStore, rateLimit, signedIn } from '@sluice/express';
import express, { type Request } from 'express';
import { siteOpener, type TestRequest } from '../../support/site.js';

/** The sign-in of docs/guide/login.md, mounted for all methods: the GET of its form answers 200. */
function signIn() {
  const login = rateLimit({
    store: memoryStore(),
    tiers: loginTiers<Request>({ account: ({ body }) => body?.user }),
  });
  let checked = 0;
  const app = express().set('trust proxy', 1);
  app.use('/login', express.json(), login, async (request, response) => {
    const { user, password } = request.body ?? {};
    checked += 1;
    const isRight = user === 'ada' && password === 'lovelace';
    if (isRight) await signedIn(request.rateLimit);
    response.sendStatus(isRight || request.method === 'GET' ? 200 : 401);
  });
  return { app, checked: () => checked };
}

const attempt = (user: unknown, password: string, more: Partial<TestRequest> = {}): TestRequest => ({
  method: 'POST',
  path: '/login',
  from: '203.0.113.7',
  ...more,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ user, password }),
});

describe('a sign-in', () => {
  const open = siteOpener();

  it('is not forgiven by a GET of its form with the account in the body', async () => {
    const { app, checked } = signIn();
    const site = await open(app);

    for (let guess = 0; guess < 50; guess += 1) await site.send(attempt('ada', 'guess', { method: 'GET' }));

    expect(checked()).toBe(6);
  });

  it('counts every spelling and every value as some account, and fails for none', async () => {
    const { app } = signIn();
    const site = await open(app);
    const spellings: unknown[] = ['ada', 'ADA', ' ada ', 'Ａｄａ', 'ada\t', 'aDa', 'ADa'];
    const values: unknown[] = [
      ['ada'],
      { toString: 1 },
      { toString: 'ada', valueOf: null },
      true,
      [[]],
      { length: 1 },
      ['x'.repeat(900)],
    ];

    const statuses = [];
    for (const [index, users] of [spellings, values].entries()) {
      const from = `203.0.113.${index}`;
      for (const user of users) statuses.push((await site.send(attempt(user, 'guess', { from }))).status);
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 401, 401, 401, 401, 401, 401, 429]);
  });

  it('lets an owner in at once while ten addresses guess, and guesses forge their address', async () => {
    const { app } = signIn();
    const site = await open(app);
    const flood = Array.from({ length: 100 }, (_, index) =>
      attempt('ada', 'guess', { from: `198.51.100.66, 203.0.113.${index % 10}` }),
    );

    await Promise.all(flood.map((each) => site.send(each)));
    const owner = await site.send(attempt('ada', 'lovelace', { from: '192.0.2.1' }));

    expect(owner.status).toBe(200);
    expect(Object.keys(owner.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

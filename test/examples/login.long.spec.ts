import { times } from './api.js';
import { examples, firstEverywhere } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe.each(firstEverywhere)('POST /login of %s, counting in %s', (example, place) => {
  const api = fresh.each(example, place);

  it('never denies a user with the right password', async () => {
    const statuses = [];
    for (const name of times(6, 'ada')) statuses.push((await api().login(name, 'lovelace')).status);

    expect(statuses).toEqual(times(6, 200));
  });

  it('denies an account after six guesses in any spelling, and no other account', async () => {
    const guesses = [];
    for (const name of ['ada', 'ADA', ' ada', 'Ada ', 'aDa', 'adA']) guesses.push(...(await api().guesses(1, name)));
    const owner = await api().login('ada', 'lovelace');
    const other = await api().login('grace', 'hopper');

    expect(guesses).toEqual(times(6, 401));
    expect([owner.status, owner.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await owner.json()).toMatchObject({ 'violated-policies': ['login'] });
    expect(other.status).toBe(200);
  });

  it('gives a network a budget of its own after a success', async () => {
    const guesses = [...(await api().guesses(4, 'ada'))];
    await api().login('ada', 'lovelace');
    guesses.push(...(await api().guesses(7, 'ada')));

    expect(guesses).toEqual(times(11, 401));
  });

  it('tells nothing of other sign-ins, nor which accounts exist', async () => {
    const answers = [];
    for (const name of ['ada', 'unknown']) {
      const { status, headers } = await api().login(name, 'guess');
      answers.push([status, [...headers.keys()].filter((header) => /ratelimit/.test(header))]);
    }

    expect(answers).toEqual(times(2, [401, []]));
  });
});

/** User names that are no names. */
const NAMES: readonly [name: string, user: unknown][] = [
  ['an object', { toLowerCase: 'ada' }],
  ['__proto__', '__proto__'],
  ['an array', ['ada']],
  ['a number', 7],
  ['null', null],
  ['a text of 600 characters', 'x'.repeat(600)],
];

describe('POST /login', () => {
  const api = fresh.each(examples[0]!.name, 'memory');

  it.each(NAMES)('counts guesses for the user name %s', async (_name, user) => {
    const statuses = [];
    for (let guess = 0; guess < 7; guess += 1) statuses.push((await api().login(user, 'guess')).status);

    expect(statuses).toEqual([...times(6, 401), 429]);
  });

  it('reports an invalid body in JSON', async () => {
    const response = await fetch(`${api().url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"user":',
    });

    expect(response.status).toBe(400);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });
});

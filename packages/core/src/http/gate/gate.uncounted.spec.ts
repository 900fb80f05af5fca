import type { IncomingMessage } from 'node:http';

import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 2, window: '1m' } as const;
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
};

afterEach(closeServers);

describe('requests that are not counted', () => {
  it('C33 are the preflights of browsers, which are told nothing', async () => {
    const server = await serve([createGate<IncomingMessage>(pages)]);

    const answers = await Promise.all(Array.from({ length: 5 }, () => server.send(PREFLIGHT)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([...answers[0]!.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect((await server.send()).headers.get('x-ratelimit-remaining')).toBe('1');
  });

  it.each<[string, RequestInit]>([
    ['a plain OPTIONS', { method: 'OPTIONS' }],
    ['an OPTIONS that asks for nothing', { method: 'OPTIONS', headers: { origin: 'https://a.example' } }],
    ['a GET that looks like a preflight', { ...PREFLIGHT, method: 'GET' }],
    ['a HEAD', { method: 'HEAD' }],
    ['a preflight with a body, which asks the application for something', { ...PREFLIGHT, body: '{}' }],
  ])('C33 are not %s', async (_what, init) => {
    const server = await serve([createGate<IncomingMessage>(pages)]);

    expect((await server.send(init)).headers.get('x-ratelimit-remaining')).toBe('1');
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ['says true', () => true],
    ['is truthy', () => 'yes' as unknown as boolean],
    ['says true later', async () => true],
  ])('C43 are those for which skip %s: no headers, and nothing is asked of the store', async (_what, skip) => {
    const store = memoryStore();
    const server = await serve([createGate<IncomingMessage>({ ...pages, store, skip })]);

    const answer = await server.send();

    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
    expect(store.size).toBe(0);
  });

  it.each<[string, () => boolean | undefined | Promise<boolean>]>([
    ['false', () => false],
    ['nothing', () => undefined],
    ['false later', async () => false],
  ])('C43 are not those for which skip says %s', async (_what, skip) => {
    const server = await serve([createGate<IncomingMessage>({ ...pages, skip })]);

    expect((await server.send()).headers.get('x-ratelimit-remaining')).toBe('1');
  });
});

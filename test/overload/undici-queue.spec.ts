import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duration } from '@sluice/core';
import { isOverloadError, queueDelay } from '@sluice/overload/queues';
import { Agent, Client, fetch, request, type Dispatcher } from 'undici';
import { closeServer, listen } from '../support/site.js';
import { until } from '../support/until.js';

let server: Server;
let url: string;
/** Requests that the upstream has, and has not answered. */
const held: ServerResponse[] = [];
const came: string[] = [];

beforeAll(async () => {
  server = createServer((asked, response) => {
    came.push(asked.url!);
    if (asked.url!.startsWith('/held')) held.push(response);
    else response.end(asked.url);
  });
  const address = await listen(server);
  url = `http://127.0.0.1:${(address as { port: number }).port}`;
});

afterEach(() => {
  for (const response of held.splice(0)) response.end();
  came.length = 0;
});

afterAll(() => closeServer(server));

/** @param target that no busy machine exceeds, for tests that are not about refusals */
function watched(max: number, target: Duration = '10s') {
  const upstream = queueDelay('upstream', { max, target });
  const agent = new Agent();
  const dispatcher: Dispatcher = upstream.watch(agent);
  return { upstream, dispatcher };
}

describe('a watched dispatcher of undici', () => {
  it('has as many requests under way as its queue says, by fetch and request', async () => {
    const { upstream, dispatcher } = watched(2);

    const first = fetch(`${url}/held/1`, { dispatcher });
    const second = request(`${url}/held/2`, { dispatcher });
    const third = fetch(`${url}/3`, { dispatcher });
    await until(() => held.length === 2);
    expect([upstream.waiting, came.toSorted()]).toEqual([1, ['/held/1', '/held/2']]);
    for (const response of held.splice(0)) response.end('late');

    expect(await (await first).text()).toBe('late');
    expect(await (await second).body.text()).toBe('late');
    expect(await (await third).text()).toBe('/3');
    expect(upstream.waiting).toBe(0);
  });

  it('must say how many requests an Agent or a Pool has room for, which undici does not', () => {
    expect(() => queueDelay('upstream').watch(new Agent())).toThrow(
      'queueDelay("upstream"): max is missing: an Agent or a Pool of undici does not say how many requests it has room for: write queueDelay("upstream", { max: 20 })',
    );
  });

  it('has as many requests under way as a Client pipelines', async () => {
    const upstream = queueDelay('upstream');
    const dispatcher: Dispatcher = upstream.watch(new Client(url));

    const first = request(`${url}/held/1`, { dispatcher });
    const second = request(`${url}/2`, { dispatcher });
    await until(() => held.length === 1);
    const { waiting } = upstream;
    held.splice(0)[0]!.end('late');

    expect(waiting).toBe(1);
    expect(await (await first).body.text()).toBe('late');
    expect(await (await second).body.text()).toBe('/2');
  });

  it('lets the next request go when one fails', async () => {
    const { dispatcher } = watched(1);

    const failed = await Promise.allSettled(
      [1, 2, 3].map((each) => fetch(`http://127.0.0.1:1/${each}`, { dispatcher })),
    );

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await (await fetch(`${url}/after`, { dispatcher })).text()).toBe('/after');
  });

  it('refuses requests to an upstream that is stuck', async () => {
    const { upstream, dispatcher } = watched(1, '200ms');
    const stuck = request(`${url}/held`, { dispatcher });
    await until(() => held.length === 1);

    const refused = await fetch(`${url}/refused`, { dispatcher }).catch((error: Error) => error);
    const other = await request(`${url}/refused`, { dispatcher }).catch((error: Error) => error);
    held.shift()!.end();
    await (await stuck).body.dump();
    await until(() => upstream.level === 0);

    expect(isOverloadError((refused as Error).cause)).toBe(true);
    expect(isOverloadError(other)).toBe(true);
    expect(came).toEqual(['/held']);
    expect(await (await fetch(`${url}/after`, { dispatcher })).text()).toBe('/after');
  });

  it('sends no request whose caller has left meanwhile', async () => {
    const { upstream, dispatcher } = watched(1);
    const stuck = request(`${url}/held`, { dispatcher });
    await until(() => held.length === 1);
    const leaving = new AbortController();
    const left = fetch(`${url}/left`, { dispatcher, signal: leaving.signal });
    await until(() => upstream.waiting === 1);

    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    held.shift()!.end();
    await (await stuck).body.dump();
    await until(() => upstream.waiting === 0);
    await (await fetch(`${url}/after`, { dispatcher })).text();

    expect(came).toEqual(['/held', '/after']);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import { fakeClock } from '@sluice/testing';
import Anthropic from '@anthropic-ai/sdk';
import type { Express } from 'express';
import OpenAI from 'openai';
import { createProxy } from '../../examples/llm-proxy/src/proxy.js';
import { createUpstream } from '../../examples/llm-proxy/src/upstream.js';
import { until } from '../support/until.js';
import { withProcesses } from './example-process.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close(() => undefined).closeAllConnections();
});

async function listen(app: Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PROMPT = 'What is the answer?';

interface SceneOptions {
  readonly tokensPerMinute?: number;
  readonly requestsPerMinute?: number;
  readonly parallel?: number;
  /** Milliseconds between two words of the API. */
  readonly pause?: number;
  readonly clock?: () => number;
  /** Of the SDKs. @default theirs */
  readonly maxRetries?: number;
}

/** A request of an SDK. Times are those of `performance.now()`. */
interface Call {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
  readonly headers: Headers;
}

async function scene({
  tokensPerMinute = 10_000,
  requestsPerMinute = 100,
  parallel = 100,
  pause = 0,
  clock = fakeClock(),
  maxRetries = 2,
}: SceneOptions = {}) {
  const upstream = createUpstream(pause);
  const api = await listen(upstream.app);
  const stopApi = servers.at(-1)!.close.bind(servers.at(-1)!);
  const { app, limiter } = createProxy({
    upstream: api,
    store: memoryStore({ clock }),
    limits: { requestsPerMinute, tokensPerMinute, parallel },
  });
  const url = await listen(app);
  const calls: Call[] = [];
  const watched = async (...args: Parameters<typeof fetch>) => {
    const sentAt = performance.now();
    const answer = await fetch(...args);
    calls.push({ sentAt, answeredAt: performance.now(), status: answer.status, headers: answer.headers });
    return answer;
  };
  const options = { apiKey: 'ada', maxRetries, fetch: watched };
  const clients = {
    openai: new OpenAI({ ...options, baseURL: `${url}/v1` }),
    anthropic: new Anthropic({ ...options, baseURL: url }),
  };
  const left = async () => {
    const [tokens] = await limiter.of({ kind: 'api-key', parts: ['ada'] }).inspect({ tiers: ['tokens'] });
    return tokens!.outcome.remaining;
  };
  /** An answer is settled after its response has closed. */
  const leaves = async (expected: number) => {
    await until(async () => (await left()) === expected).catch(() => undefined);
    expect(await left()).toBe(expected);
  };
  return { upstream, clients, calls, leaves, stopApi };
}

type Clients = Awaited<ReturnType<typeof scene>>['clients'];

interface Answer {
  words: number;
  /** Why the answer ended. Undefined for an aborted one. */
  reason: unknown;
}

/** Reads an answer of so many words by a real client. It aborts after `abortAfter` words. */
type Ask = (clients: Clients, words: number, abortAfter?: number) => Promise<Answer>;

const asks: Readonly<Record<string, Ask>> = {
  async openai({ openai }, words, abortAfter = Infinity) {
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const stream = await openai.chat.completions.create({ model: 'fake', stream: true, max_tokens: words, messages });
    const answer: Answer = { words: 0, reason: undefined };
    for await (const { choices } of stream) {
      if (choices[0]?.delta.content) answer.words += 1;
      answer.reason = choices[0]?.finish_reason ?? answer.reason;
      if (answer.words >= abortAfter) break;
    }
    return answer;
  },
  async anthropic({ anthropic }, words, abortAfter = Infinity) {
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const stream = await anthropic.messages.create({ model: 'fake', stream: true, max_tokens: words, messages });
    const answer: Answer = { words: 0, reason: undefined };
    for await (const event of stream) {
      if (event.type === 'content_block_delta') answer.words += 1;
      if (event.type === 'message_delta') answer.reason = event.delta.stop_reason;
      if (answer.words >= abortAfter) break;
    }
    return answer;
  },
};

/** The tokens of the prompt, as the proxy counts them. */
const input = Math.ceil(JSON.stringify([{ role: 'user', content: PROMPT }]).length / 4);
const ends = { openai: ['stop', 'length'], anthropic: ['end_turn', 'max_tokens'] } as Record<string, [string, string]>;

describe('The LLM proxy as a program', () => {
  const { processes } = withProcesses();

  it('streams an answer of its own API, and says what a key has left', async () => {
    const started = await processes.start({ name: 'llm-proxy', main: 'llm-proxy/dist/main.js' });

    const response = await fetch(`${started.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ada' },
      body: JSON.stringify({ stream: true, max_tokens: 3, messages: [{ role: 'user', content: PROMPT }] }),
    });

    expect((await response.text()).split('"content":"word"')).toHaveLength(4);
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe(String(1_000 - input - 3));
    expect(await started.stop('SIGINT')).toBe(0);
    expect(started.errors()).toBe('');
  });
});

describe.each(Object.entries(asks))('The LLM proxy, with the SDK of %s', (name, ask) => {
  it('settles the usage that the API reports', async () => {
    const { clients, leaves } = await scene();

    const answer = await ask(clients, 300);

    expect(answer).toEqual({ words: 300, reason: ends[name]![0] });
    await leaves(10_000 - input - 300);
  });

  it('ends an answer when the budget is used up, as one of the longest length', async () => {
    const { clients, upstream, leaves } = await scene({ tokensPerMinute: 200, pause: 1 });

    const answer = await ask(clients, 4_000);

    expect(answer).toEqual({ words: 200 - input, reason: ends[name]![1] });
    await leaves(0);
    expect(upstream.sent).toBeLessThan(4_000);
  });

  it.each([1, 65])(
    'charges the answer that was requested when the client leaves after %i words, and ends it at the API',
    async (words) => {
      const { clients, upstream, leaves } = await scene({ pause: 1 });

      const answer = await ask(clients, 4_000, words);

      expect(answer).toEqual({ words, reason: undefined });
      await leaves(10_000 - input - 4_000);
      expect(upstream.sent).toBeLessThan(4_000);
    },
  );

  it('waits as long as retry-after-ms says, and is then admitted', async () => {
    // A lot and the prompt take more than a second, and less than the two that Retry-After says.
    // Time begins to pass with the denial, so that a slow machine refills nothing before it. A timer can fire a bit early.
    const begun = Date.now();
    let calls: readonly Call[] = [];
    const clock = () => {
      const denial = calls.find(({ status }) => status === 429);
      return denial === undefined ? begun : begun + 2 + performance.now() - denial.answeredAt;
    };
    const { clients, ...opened } = await scene({ tokensPerMinute: 50 * (input + 64), clock });
    calls = opened.calls;
    await ask(clients, 50 * (input + 64));

    const answer = await ask(clients, 64);

    const denied = calls.findIndex(({ status }) => status === 429);
    const { answeredAt, headers } = calls[denied]!;
    const wait = calls[denied + 1]!.sentAt - answeredAt;
    const milliseconds = Number(headers.get('retry-after-ms'));
    expect(answer.words).toBe(64);
    expect(calls.map(({ status }) => status)).toEqual([200, 429, 200]);
    // A timer can fire a millisecond early.
    expect(wait + 1).toBeGreaterThanOrEqual(milliseconds);
    expect(wait).toBeLessThan(Number(headers.get('retry-after')) * 1_000);
  });

  it('gives the estimate back when the API is unreachable', async () => {
    const { clients, leaves, stopApi } = await scene({ maxRetries: 0 });
    stopApi();

    await expect(ask(clients, 1)).rejects.toMatchObject({ status: 502 });
    await leaves(10_000);
  });

  it('throws the error of its API for a denied request', async () => {
    const { clients } = await scene({ requestsPerMinute: 1, maxRetries: 0 });
    await ask(clients, 1);

    const error: { status?: number; headers?: Headers; message?: string } = await ask(clients, 1).then(
      () => ({}),
      (reason: object) => reason,
    );

    expect(error.status).toBe(429);
    expect(error.message).toContain('Too many requests. Retry in 60 seconds.');
    expect(error.headers?.get('retry-after-ms')).toBe('60000');
    expect(error.headers?.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(error.headers?.get('x-ratelimit-reset-requests')).toBe('1m0s');
  });

  it('denies an answer beside as many as may run, and admits one after an answer was aborted', async () => {
    const { clients, calls, leaves } = await scene({ parallel: 2, pause: 5, maxRetries: 0 });
    const running = [ask(clients, 4_000, 40), ask(clients, 4_000, 60)];
    while (calls.length < 2) await new Promise((resolve) => setImmediate(resolve));

    const denied = await ask(clients, 1).catch((error: { status?: number }) => error.status);
    await Promise.all(running);
    await leaves(10_000 - 2 * (input + 4_000));

    expect(denied).toBe(429);
    expect((await ask(clients, 1)).words).toBe(1);
  });

  // https://github.com/BerriAI/litellm/issues/18730: they used 663 tokens each.
  it.each([100, 400])('lets five parallel answers use a budget of %i and at most a word more', async (budget) => {
    const { clients, leaves } = await scene({ tokensPerMinute: budget, maxRetries: 0 });

    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => ask(clients, 663)));

    const given = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const used = given.reduce((sum, { words }) => sum + input + words, 0);
    expect(given.length).toBeGreaterThan(0);
    expect([budget, budget + 1]).toContain(used);
    await leaves(0);
  });
});

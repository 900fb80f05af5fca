import { once } from 'node:events';
import { request as startRequest, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { memoryStore } from '@sluice/express';
import { fakeClock } from '@sluice/testing';
import { createProxy } from '../../examples/llm-proxy/src/proxy.js';
import { openListener, type Site } from '../support/site.js';
import { until } from '../support/until.js';
import { warningCatcher } from '../support/warnings.js';

const OPENAI = '/v1/chat/completions';
const ANTHROPIC = '/v1/messages';
const messages = [{ role: 'user', content: 'What is the answer?' }];
/** Tokens of the prompt, as the proxy counts them. */
const input = Math.ceil(JSON.stringify(messages).length / 4);

const sites: Site[] = [];

afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

interface SceneOptions {
  /** What the API streams, event by event. */
  readonly events?: readonly object[];
  readonly lineEnd?: string;
  readonly tokensPerMinute?: number;
  readonly requestsPerMinute?: number;
}

/** The proxy before an API that streams the same events to each request, and then nothing. */
async function scene(options: SceneOptions = {}) {
  const { events = [], lineEnd = '\n', tokensPerMinute = 10_000, requestsPerMinute = 100 } = options;
  const bodies: Record<string, unknown>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    bodies.push(JSON.parse(text) as Record<string, unknown>);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`);
    response.end();
  };
  const api: RequestListener = (request, response) => void answer(request, response);
  const upstream = await openListener(api);
  const { app, limiter } = createProxy({
    upstream: `http://127.0.0.1:${upstream.port}`,
    store: memoryStore({ clock: fakeClock() }),
    limits: { requestsPerMinute, tokensPerMinute, parallel: 100 },
  });
  const site = await openListener(app);
  sites.push(site, upstream);
  const post = (path: string, body: object | string, key = 'ada') =>
    site.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const left = async (key = 'ada') => {
    const [tokens] = await limiter.of({ kind: 'api-key', parts: [key] }).inspect({ tiers: ['tokens'] });
    return tokens!.outcome.remaining;
  };
  return { site, bodies, post, left };
}

function times(count: number, event: object): object[] {
  return Array.from({ length: count }, () => event);
}

const choice = (delta: object) => ({ choices: [{ index: 0, delta }] });
const block = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });

describe('The LLM proxy, attacked', () => {
  const warnings = warningCatcher();

  it.each<[kind: string, path: string, event: object]>([
    ['text', OPENAI, choice({ content: 'word' })],
    ['calls of tools', OPENAI, choice({ tool_calls: [{ index: 0, id: 'call_1', function: { arguments: 'word' } }] })],
    ['reasoning', OPENAI, choice({ reasoning_content: 'word' })],
    ['refusals', OPENAI, choice({ refusal: 'word' })],
    ['text', ANTHROPIC, block({ type: 'text_delta', text: 'word' })],
    ['calls of tools', ANTHROPIC, block({ type: 'input_json_delta', partial_json: 'word' })],
    ['thinking', ANTHROPIC, block({ type: 'thinking_delta', thinking: 'word' })],
    ['blocks', ANTHROPIC, { type: 'content_block_start', content_block: { type: 'text', text: 'word' } }],
  ])('counts the %s of %s, and ends them when the budget is used up', async (_kind, path, event) => {
    const whole = await scene({ events: times(100, event) });
    const cut = await scene({ events: times(1_000, event), tokensPerMinute: 200 });

    await whole.post(path, { stream: true, max_tokens: 1_000, messages });
    const { text } = await cut.post(path, { stream: true, max_tokens: 1_000, messages });

    expect(await whole.left()).toBe(10_000 - input - 100);
    expect(text.match(/word/g)).toHaveLength(200 - input);
    expect(await cut.left()).toBe(0);
  });

  it('counts events whose lines end by CR LF, each choice of an answer, and characters by their bytes', async () => {
    const crlf = await scene({ events: times(100, choice({ content: 'word' })), lineEnd: '\r\n' });
    const choices = await scene({ events: times(100, { choices: times(2, { delta: { content: 'word' } }) }) });
    const chinese = await scene({ events: times(100, choice({ content: '水水水水' })) });

    for (const { post } of [crlf, choices, chinese]) await post(OPENAI, { stream: true, max_tokens: 1_000, messages });

    expect(await crlf.left()).toBe(10_000 - input - 100);
    expect(await choices.left()).toBe(10_000 - input - 200);
    expect(await chinese.left()).toBe(10_000 - input - 300);
  });

  it('counts tools, and a prompt that the API had in its cache', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'word'.repeat(500) } }];
    const tooled = await scene();
    const usage = { input_tokens: 10, cache_creation_input_tokens: 400, cache_read_input_tokens: 3_000 };
    const cached = await scene({
      events: [
        { type: 'message_start', message: { usage } },
        { type: 'message_delta', delta: {}, usage: { output_tokens: 5 } },
      ],
    });

    await tooled.post(OPENAI, { stream: true, max_tokens: 10, messages, tools });
    await cached.post(ANTHROPIC, { stream: true, max_tokens: 10, messages });

    expect(await tooled.left()).toBeLessThan(10_000 - 500);
    expect(await cached.left()).toBe(10_000 - 3_415);
  });

  it('admits no more than its budget to a client that leaves before the usage each time', async () => {
    const events = [...times(300, choice({ tool_calls: [{ function: { arguments: 'word' } }] }))];
    const { site, bodies, left } = await scene({ events, tokensPerMinute: 1_000 });
    const body = JSON.stringify({ stream: true, max_tokens: 300, messages });
    const statuses: (number | undefined)[] = [];

    for (let count = 0; count < 10; count += 1) {
      const before = await left();
      const headers = { 'content-type': 'application/json', authorization: 'Bearer ada' };
      const outgoing = startRequest({ port: site.port, method: 'POST', path: OPENAI, headers });
      outgoing.on('error', () => undefined).end(body);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      statuses.push(response.statusCode);
      if (response.statusCode === 200) {
        outgoing.destroy();
        await until(async () => (await left()) <= Math.max(0, before - 300));
      } else response.resume();
    }

    expect(bodies.length * (300 + input)).toBeLessThanOrEqual(1_000 + 300 + input);
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
  });

  it('charges the longest answer for one that is cut while the API may hide its reasoning', async () => {
    const { post, left } = await scene({ events: times(300, choice({ content: 'word' })), tokensPerMinute: 200 });

    await post(OPENAI, { stream: true, max_completion_tokens: 2_000, messages });

    // Ten minutes of the budget are owed.
    expect((await post(OPENAI, { stream: true, max_tokens: 1, messages })).headers['retry-after-ms']).toMatch(
      /^5\d{5}$/,
    );
    expect(await left()).toBe(0);
  });

  it('requests no longer answer than it counts on', async () => {
    const { post, bodies } = await scene();

    for (const limits of [{}, { max_tokens: 1e9 }, { max_completion_tokens: 1e9, max_tokens: 5 }]) {
      await post(OPENAI, { stream: true, messages, ...limits });
    }

    expect(bodies.map(({ max_tokens: short, max_completion_tokens: long }) => [short, long])).toEqual([
      [undefined, 4_096],
      [4_096, undefined],
      [5, 4_096],
    ]);
  });

  it('limits the keys that one address makes up', async () => {
    const events = times(250 - input, choice({ content: 'word' }));
    const { post } = await scene({ events, tokensPerMinute: 1_000 });
    const statuses: number[] = [];

    for (let key = 0; key < 40; key += 1) {
      statuses.push((await post(OPENAI, { stream: true, max_tokens: 300, messages }, `made-up-${key}`)).status);
    }

    // Four keys of 1 000 tokens are 16 answers of 250.
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
    expect(warnings()).toEqual([]);
  });

  it('refuses limits that are no integers with 400, and counts such requests and unknown paths by address', async () => {
    const { post, site } = await scene({ requestsPerMinute: 2 });
    const statuses: number[] = [];
    for (const part of [
      { max_tokens: 1.5 },
      { max_tokens: '12' },
      { max_tokens: -1 },
      { n: 1_000 },
      { stream: false },
    ]) {
      statuses.push((await post(OPENAI, { stream: true, max_tokens: 5, messages, ...part })).status);
    }
    for (const { status } of await site.sendTimes(4, { path: '/none' })) statuses.push(status);

    expect(statuses).toEqual([400, 400, 400, 400, 400, 404, 404, 404, 429]);
  });

  it('counts every spelling of its paths, and bodies that are no object', async () => {
    const { post, left } = await scene();

    const paths = ['/v1/messages/', '/V1/Messages', `${OPENAI}/?a=b`];
    const statuses = [];
    for (const path of paths) statuses.push((await post(path, { stream: true, max_tokens: 5, messages })).status);
    for (const body of ['[]', 'null', '"a"', '{', '']) statuses.push((await post(OPENAI, body)).status);

    expect(statuses).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
    expect(await left()).toBe(10_000 - 3 * input);
  });
});

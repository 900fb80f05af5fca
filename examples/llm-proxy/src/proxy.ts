import { once } from 'node:events';
import {
  byApiKey,
  byIp,
  createLimiter,
  llmTiers,
  meter,
  openAiBody,
  rateLimit,
  type Limiter,
  type Meter,
  type Store,
  type Tier,
} from '@sluice/express';
import express, { type Express, type Request, type Response } from 'express';
import { dialects, textIn, type Dialect, type StreamEvent, type Usage } from './dialect.js';
import { eventsOf } from './events-of.js';
import { longestAnswer, mayHideReasoning, problemOf, promptOf, tokensIn, type Body } from './prompt.js';

/** Tokens of an answer that are charged ahead: one call to the store for each lot. */
const LOT = 64;
/** An address may use as much as so many keys, because clients can make keys up. */
const KEYS_OF_ADDRESS = 4;

export interface ProxyOptions {
  /** The URL of the API. */
  readonly upstream: string;
  readonly store: Store;
  /** Of each API key. */
  readonly limits: { readonly requestsPerMinute: number; readonly tokensPerMinute: number; readonly parallel: number };
}

/** A proxy in front of an API of models. It limits the tokens of each API key while answers stream. */
export function createProxy({ upstream, store, limits }: ProxyOptions): { app: Express; limiter: Limiter<Request> } {
  const limiter = createLimiter({ store, tiers: tiersOf(limits) });
  const app = express();
  // Before the body is read, so that requests which the proxy refuses count as well.
  const requests = KEYS_OF_ADDRESS * limits.requestsPerMinute;
  app.use(rateLimit({ store, name: 'address', limit: requests, window: '1m', headers: [], body: openAiBody }));
  app.use(express.json({ limit: '1mb' }));
  for (const dialect of dialects) {
    const limit = rateLimit({ limiter, headers: ['openai'], body: (denied) => dialect.errorOf(denied) });
    app.post(dialect.path, requireCountable, limit, async (request, response) => {
      await new Answer(dialect, request, response).forward(upstream + dialect.path);
    });
  }
  return { app, limiter };
}

function tiersOf(limits: ProxyOptions['limits']): readonly Tier<Request>[] {
  // OpenAI's clients send `authorization`, Anthropic's `x-api-key`.
  const key = byApiKey<Request>({ header: 'authorization', otherwise: byApiKey() });
  const tiers = llmTiers<Request>({ ...limits, key, estimate: estimateOf });
  const tokens = tiers.find(({ name }) => name === 'tokens')!;
  const limit = KEYS_OF_ADDRESS * limits.tokensPerMinute;
  return [...tiers, { ...tokens, name: 'address-tokens', key: byIp(), limit } as Tier<Request>];
}

/** The answer to one request. */
class Answer {
  readonly #dialect: Dialect;
  readonly #body: Body;
  readonly #response: Response;
  readonly #tokens: Meter;
  /** Aborts the request to the API. */
  readonly #ended = new AbortController();
  #first: StreamEvent = {};
  #usage: Usage = {};
  #isCut = false;

  constructor(dialect: Dialect, request: Request, response: Response) {
    this.#dialect = dialect;
    this.#body = request.body as Body;
    this.#response = response;
    this.#tokens = meter(request.rateLimit!, { tier: ['tokens', 'address-tokens'], lot: LOT });
    response.once('close', () => this.#ended.abort());
  }

  async forward(url: string): Promise<void> {
    try {
      // The client can have left while the limit was decided.
      if (this.#response.destroyed) this.#ended.abort();
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.#dialect.forwarded(this.#body)),
        signal: this.#ended.signal,
      });
      if (answer.ok) await this.#stream(answer.body!);
      else this.#response.status(answer.status).send(await answer.text());
    } catch {
      // A client that has disconnected, or has a part of an answer, gets no other one.
      if (!this.#response.headersSent)
        this.#response.status(502).json({ error: { message: 'The API is unreachable.' } });
    } finally {
      await this.#tokens.end(this.#used());
      this.#response.end();
      this.#ended.abort();
    }
  }

  async #stream(body: AsyncIterable<Uint8Array>): Promise<void> {
    this.#response.type('text/event-stream');
    await this.#tokens.add(tokensIn(promptOf(this.#body)));
    for await (const { text, data } of eventsOf(body)) {
      await this.#send(text);
      if (data === undefined || (await this.#count(data))) continue;
      this.#isCut = true;
      return this.#send(this.#dialect.ending(this.#first));
    }
  }

  /** False when the budget is used up. */
  async #count(event: StreamEvent): Promise<boolean> {
    if (this.#first.type === undefined && this.#first.choices === undefined) this.#first = event;
    this.#usage = { ...this.#usage, ...this.#dialect.usageOf(event) };
    const text = this.#dialect.deltasOf(event).map(textIn).join('');
    return text === '' || this.#tokens.add(tokensIn(text));
  }

  async #send(text: string): Promise<void> {
    // A slow client slows down the API.
    if (!this.#response.write(text)) await once(this.#response, 'drain', { signal: this.#ended.signal });
  }

  /**
   * The usage that the API has reported. It comes last, so a client that leaves before it pays for the longest answer that
   * it has requested: leaving must not be cheaper than staying.
   */
  #used(): number {
    const { input, output } = this.#usage;
    if (input !== undefined && output !== undefined) return input + output;
    const { added } = this.#tokens;
    const hasLeft = this.#response.destroyed && !this.#response.writableFinished;
    if (!hasLeft && !(this.#isCut && mayHideReasoning(this.#body))) return added;
    return Math.max(added, tokensIn(promptOf(this.#body)) + longestAnswer(this.#body));
  }
}

/** The prompt, and the first lot of the answer. */
function estimateOf({ body }: Request): number {
  return tokensIn(promptOf(body as Body)) + Math.min(LOT, longestAnswer(body as Body));
}

function requireCountable({ body }: Request, response: Response, next: () => void): void {
  const message = problemOf(body as Body | undefined);
  if (message === undefined) next();
  else response.status(400).json({ error: { message } });
}

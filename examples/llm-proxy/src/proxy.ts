import { once } from 'node:events';
import {
  by,
  createLimiter,
  llmTiers,
  meter,
  rateLimit,
  type Limiter,
  type LlmTiersOptions,
  type Meter,
  type Store,
} from '@sluice/express';
import express, { type Express, type Request, type Response } from 'express';
import { dialects, tokensIn, type Body, type Dialect, type StreamEvent, type Usage } from './dialect.js';
import { eventsOf } from './events-of.js';

/** Tokens of an answer that are charged ahead: one call to the store for each lot. */
const LOT = 64;

export interface ProxyOptions {
  /** The URL of the API. */
  readonly upstream: string;
  readonly store: Store;
  readonly limits: Omit<LlmTiersOptions<Request>, 'key' | 'estimate'>;
}

/** A proxy in front of an API of models. It limits the tokens of each API key while answers stream. */
export function createProxy({ upstream, store, limits }: ProxyOptions): { app: Express; limiter: Limiter<Request> } {
  const limiter = createLimiter({
    store,
    tiers: llmTiers<Request>({ ...limits, key: by('api-key', apiKeyOf), estimate: estimateOf }),
  });
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  for (const dialect of dialects) {
    const limit = rateLimit({ limiter, headers: ['openai'], body: (denied) => dialect.errorOf(denied) });
    app.post(dialect.path, requireStream, limit, async (request, response) => {
      await new Answer(dialect, request, response).forward(upstream + dialect.path);
    });
  }
  return { app, limiter };
}

/** The answer to one request. */
class Answer {
  readonly #dialect: Dialect;
  readonly #request: Request;
  readonly #response: Response;
  readonly #tokens: Meter;
  /** Aborts the request to the API. */
  readonly #ended = new AbortController();
  #first: StreamEvent = {};
  #usage: Usage = {};

  constructor(dialect: Dialect, request: Request, response: Response) {
    this.#dialect = dialect;
    this.#request = request;
    this.#response = response;
    // Settles what was added if the client disconnects.
    this.#tokens = meter(request.rateLimit!, { tier: 'tokens', lot: LOT, response });
    response.once('close', () => this.#ended.abort());
  }

  async forward(url: string): Promise<void> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.#dialect.forwarded(this.#request.body as Body)),
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
    await this.#tokens.add(tokensIn(this.#dialect.promptOf(this.#request.body as Body)));
    for await (const { text, data } of eventsOf(body)) {
      await this.#send(text);
      if (data !== undefined && !(await this.#count(data))) return this.#send(this.#dialect.ending(this.#first));
    }
  }

  /** False when the budget is used up. */
  async #count(event: StreamEvent): Promise<boolean> {
    if (this.#first.type === undefined && this.#first.choices === undefined) this.#first = event;
    this.#usage = { ...this.#usage, ...this.#dialect.usageOf(event) };
    const text = this.#dialect.textOf(event);
    return text === '' || this.#tokens.add(tokensIn(text));
  }

  async #send(text: string): Promise<void> {
    // A slow client slows down the API.
    if (!this.#response.write(text)) await once(this.#response, 'drain', { signal: this.#ended.signal });
  }

  /** The usage that the API has reported, or what was counted until the stream was aborted. */
  #used(): number {
    const { input, output } = this.#usage;
    return input === undefined || output === undefined ? this.#tokens.added : input + output;
  }
}

/** The prompt, and the first lot of the answer. */
function estimateOf(request: Request): number {
  const dialect = dialects.find(({ path }) => path === request.path)!;
  const body = request.body as Body;
  return tokensIn(dialect.promptOf(body)) + Math.min(LOT, dialect.maxTokensOf(body) || LOT);
}

/** OpenAI's clients send `authorization`, Anthropic's `x-api-key`. */
function apiKeyOf({ headers }: Request): string | undefined {
  return headers.authorization?.replace(/^Bearer /i, '') ?? (headers['x-api-key'] as string | undefined);
}

function requireStream({ body }: Request, response: Response, next: () => void): void {
  if ((body as Body | undefined)?.stream === true) next();
  else response.status(400).json({ error: { message: 'This proxy streams: set stream to true.' } });
}

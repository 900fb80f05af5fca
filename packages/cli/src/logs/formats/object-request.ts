import { hashOf, spanOf, type Span } from '../lines/span.js';
import { numberOf, textOf } from './json-paths.js';
import type { Finders } from './object-fields.js';
import type { OpenRequest } from './open-requests.js';
import { pathOf, requestOf } from './request-line.js';

export interface ObjectRequestSetup {
  readonly line: object;
  readonly find: Finders;
  readonly time: number;
  readonly ip: string;
  readonly key: string;
}

/** A request of a line that is an object. Its texts are looked for when they are read. */
export class ObjectRequest implements OpenRequest {
  readonly time: number;
  readonly ip: string;
  readonly key: string;
  readonly #line: object;
  readonly #find: Finders;
  /** The line with the status. */
  #answer: object;

  constructor({ line, find, time, ip, key }: ObjectRequestSetup) {
    this.time = time;
    this.ip = ip;
    this.key = key;
    this.#line = line;
    this.#find = find;
    this.#answer = line;
  }

  answer(line: object): void {
    this.#answer = line;
  }

  get ipBytes(): Span {
    return spanOf(this.ip);
  }

  get user(): string {
    return textOf(this.#find.user(this.#line));
  }

  get method(): string {
    return textOf(this.#find.method(this.#line)) || requestOf(this.#requestLine())[0];
  }

  get url(): string {
    return textOf(this.#find.url(this.#line)) || requestOf(this.#requestLine())[1];
  }

  get path(): string {
    return pathOf(this.url);
  }

  get pathBytes(): Span {
    return spanOf(this.path);
  }

  get status(): number {
    const code = numberOf(this.#find.status(this.#answer));
    // Vercel logs -1 for a function without a response.
    return Number.isInteger(code) && code > 0 && code < 1_000 ? code : 0;
  }

  get agent(): string {
    return textOf(this.#find.agent(this.#line));
  }

  get agentCode(): number {
    const { agent } = this;
    return agent === '' ? 0 : hashOf(spanOf(agent)) >>> 2;
  }

  get cost(): string {
    return textOf(this.#find.cost(this.#line));
  }

  #requestLine(): string {
    return textOf(this.#find.request(this.#line));
  }
}

import { renewAddress } from '../visits/visit.js';
import type { HttpRequest } from '../request/request.js';
import { ResponseEnding } from './response-ending.js';
import { WebHeaders } from './web-headers.js';
import { WebResponse, type WebEnding } from './web-response.js';
import type { StandardRequest, StandardSignal } from './web-standards.js';

const MAX_FIELDS = 1_000;

/** What an application knows of a client, and a `Request` does not say. */
export interface WebClient {
  /** The client's address. Undefined where the server does not know it: such clients share one budget. */
  readonly ip: string | undefined;
  /**
   * The address at the other end of the connection, or `unix`: for `sent` of a shedder, which believes no other.
   *
   * @default none
   */
  readonly peer?: string | undefined;
  /**
   * Fires when the client disconnects.
   *
   * @default the signal of the request
   */
  readonly signal?: StandardSignal | undefined;
  /** The authenticated caller, for functions of tiers. */
  readonly user?: unknown;
  /** The claims of a verified token, for `byJwtSubject()`. */
  readonly auth?: unknown;
  readonly session?: unknown;
}

/** A web-standard request with its client, as functions of tiers read it: like requests of Node's frameworks. */
export class WebRequest implements HttpRequest {
  readonly request: StandardRequest;
  /** What gates want to add to its response. */
  readonly responseHeaders = new WebHeaders();
  /** For all gates of the request. */
  readonly response = new WebResponse(this.responseHeaders, () => this.responseEnding);
  #client: WebClient;
  #headers: Readonly<Record<string, string>> | undefined;
  #query: Readonly<Record<string, string | readonly string[]>> | undefined;
  #ending: ResponseEnding | undefined;

  constructor(request: StandardRequest, client: WebClient) {
    this.request = request;
    this.#client = client;
  }

  /** Of the last gate: the caller may be known by then. */
  get client(): WebClient {
    return this.#client;
  }

  /** What another gate receives of the client. It counts the address in it. */
  take(client: WebClient): void {
    if (client.ip !== this.#client.ip) renewAddress(this);
    this.#client = client;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.url;
  }

  /** By names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return (this.#headers ??= Object.fromEntries(this.request.headers));
  }

  /** The first 1 000 fields of the query, as Express reads them. A repeated one is an array. */
  get query(): Readonly<Record<string, string | readonly string[]>> {
    return (this.#query ??= fieldsOf(queryOf(this.request.url)));
  }

  get ip(): string | undefined {
    return this.client.ip;
  }

  get peer(): string | undefined {
    return this.client.peer;
  }

  get user(): unknown {
    return this.client.user;
  }

  get auth(): unknown {
    return this.client.auth;
  }

  get session(): unknown {
    return this.client.session;
  }

  /** What tells the end of its response. */
  get responseEnding(): WebEnding {
    return this.ending;
  }

  /** Its end as its body tells it. */
  get ending(): ResponseEnding {
    return (this.#ending ??= new ResponseEnding(
      this.method === 'HEAD',
      () => this.client.signal ?? this.request.signal,
    ));
  }
}

/** The query of a URL that the platform has parsed. */
function queryOf(url: string): string {
  const hash = url.indexOf('#');
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf('?');
  return mark < 0 || mark > end ? '' : url.slice(mark + 1, end);
}

/** In one pass: to look up each name is quadratic in the number of names, which the client chooses. */
function fieldsOf(query: string): Readonly<Record<string, string | readonly string[]>> {
  const fields = new Map<string, string | string[]>();
  // The parser drops one leading question mark, which may belong to the first name.
  for (const [name, value] of new URLSearchParams(`?${firstFields(query)}`)) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (typeof known === 'string') fields.set(name, [known, value]);
    else known.push(value);
  }
  return Object.fromEntries(fields);
}

function firstFields(query: string): string {
  let end = -1;
  for (let fields = 0; fields < MAX_FIELDS; fields += 1) {
    end = query.indexOf('&', end + 1);
    if (end < 0) return query;
  }
  return query.slice(0, end);
}

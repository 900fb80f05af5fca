import type { HttpRequest } from '@sluice/http';
import type { Key } from '@sluice/core/internal';
import type { Facts } from '../rules/facts.js';
import type { ServedResponse } from './served-response.js';

/** A request that another program serves, as key functions of the middleware read theirs. */
export class ServedRequest implements HttpRequest {
  readonly ip: string | undefined;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly auth: unknown;
  readonly user: unknown;
  readonly sessionID: string | undefined;
  readonly identities: Readonly<Record<string, Key>> | undefined;
  readonly entries: Readonly<Record<string, string>> | undefined;
  readonly plan: string | undefined;
  /** What is asked about it. Not enumerable, so that nothing of an application copies it. */
  readonly #question: Question;
  readonly #response: ServedResponse;

  constructor(facts: Facts, question: Question, response: ServedResponse) {
    this.ip = facts.ip;
    this.method = facts.method;
    this.url = facts.url;
    this.headers = facts.headers;
    this.auth = facts.auth;
    this.user = facts.user;
    this.sessionID = facts.sessionID;
    this.identities = facts.identities;
    this.entries = facts.entries;
    this.plan = facts.plan;
    this.#question = question;
    this.#response = response;
  }

  static questionOf(request: ServedRequest): Question {
    return request.#question;
  }

  static responseOf(request: ServedRequest): ServedResponse {
    return request.#response;
  }
}

/** What a program asks about a request. */
export interface Question {
  /** The tiers that count it, by name. Undefined for all of the limiter. */
  readonly tiers: readonly AskedTier[] | undefined;
  /** Units for tiers without their own. */
  readonly cost: number;
  /** Nothing is charged. */
  readonly isPeek: boolean;
}

/** A tier that counts a request, and what its descriptor says. */
export interface AskedTier {
  readonly name: string;
  /** Undefined for the cost of the request. */
  readonly hits: number | undefined;
  /** In the place of the limit of the tier. An override that an operator has set wins over it. */
  readonly limit: number | undefined;
}

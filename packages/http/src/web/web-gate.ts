// web/ is the gate for the Request and Response of the web standards. A Request enters, and a Response leaves. It
// imports gate, visits, problem, headers and request.
import {
  chain,
  type Decision,
  isPromise,
  kindOf,
  type Limiter,
  type MaybePromise,
  UsageError,
} from '@sluice/core/internal';
import type { Admission, Denial } from '../gate/admission.js';
import type { Denied, GatedLimiterOptions } from '../gate/gate-options.js';
import { createGate, type Gate } from '../gate/gate.js';
import { holdWhile } from '../gate/held-request.js';
import type { WebAdmission, WebAdmitted } from './web-admission.js';
import { WebRequest, type WebClient } from './web-request.js';
import { CLIENT_HAS_LEFT } from './web-response.js';
import type { StandardRequest, StandardResponse } from './web-standards.js';

/** Makes the response to a denied request. The gate adds the headers. */
export type OnWebDenied = (denied: Denied<WebRequest>) => MaybePromise<StandardResponse>;

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with a shared limiter. */
export type WebGateOptions = GatedLimiterOptions<WebRequest, OnWebDenied>;

/** Enforces a limiter on web-standard requests, on any server that has them. */
export interface WebGate {
  readonly limiter: Limiter<WebRequest>;
  /**
   * Decides about a request, and waits if it is queued. Rejects with UsageError if a function of the application fails,
   * and without a client.
   *
   * @param client its address, which the server knows. Several gates can admit one request
   */
  admit(request: StandardRequest, client: WebClient): MaybePromise<WebAdmission>;
  /**
   * Admits a request, runs its handler and returns the response to send. Permits of the request end when the handler has
   * ended and the response is closed. Rejects as `admit` does, and with the error of the handler.
   *
   * @param client as `admit` takes it
   * @param handle answers an admitted request. It does not run for a denied one
   */
  run(
    request: StandardRequest,
    client: WebClient,
    handle: (decision: Decision | undefined) => MaybePromise<StandardResponse>,
  ): Promise<StandardResponse>;
  /** The last decision of this gate about a request. Undefined without one. */
  decision(request: StandardRequest): Decision | undefined;
}

/**
 * All gates of a process, of every copy of this package, read one subject. It is on the request, because a collection of
 * garbage looks at every entry of a WeakMap.
 */
const SUBJECT = Symbol.for('sluice.web-request.1');

type Holder = StandardRequest & { [SUBJECT]?: WebRequest };

/**
 * Creates a gate for web-standard requests and responses: Next.js, Bun.serve, Deno.serve and others.
 *
 * @throws ConfigError that names the option, the rule and the value
 * @example
 * const gate = createWebGate({ limit: 100, window: '1m' });
 * return gate.run(request, { ip }, () => handle(request));
 */
export function createWebGate(options: WebGateOptions): WebGate {
  const gate = createGate<WebRequest, OnWebDenied>(options);
  const enter = (subject: WebRequest): MaybePromise<WebAdmission> =>
    chain(gate.admit(subject, subject.response), (admission) => webAdmission(gate, subject, admission));
  return {
    limiter: gate.limiter,
    admit(request, client) {
      if (!isClient(client)) return Promise.reject(invalidClient(client));
      return enter(subjectOf(request, client));
    },
    async run(request, client, handle) {
      if (!isClient(client)) throw invalidClient(client);
      const subject = subjectOf(request, client);
      const admission = await enter(subject);
      if (!admission.allowed) return admission.response();
      try {
        return admission.wrap(await holdWhile(subject, () => handle(admission.decision), noResponse));
      } catch (error) {
        // The framework answers, and no gate sees its response.
        subject.ending.close();
        throw error;
      }
    },
    decision(request) {
      const { [SUBJECT]: subject } = request as Holder;
      return subject && gate.decision(subject);
    },
  };
}

function subjectOf(request: Holder, client: WebClient): WebRequest {
  const known = request[SUBJECT];
  if (known) {
    known.take(client);
    return known;
  }
  const subject = new WebRequest(request, client);
  // A frozen request takes no property: each of its gates then reads a subject of its own.
  if (Object.isExtensible(request)) request[SUBJECT] = subject;
  return subject;
}

function webAdmission(gate: Gate<WebRequest, OnWebDenied>, subject: WebRequest, admission: Admission): WebAdmission {
  const headers = subject.responseHeaders.pairs;
  if (admission.state === 'ended') {
    const response = async () => noResponse();
    return { allowed: false, decision: undefined, headers, problem: undefined, response };
  }
  const { decision } = admission;
  if (admission.state === 'denied') {
    const { problem } = admission;
    const response = async () => withHeaders(await answerTo(gate, subject, admission), subject);
    return { allowed: false, decision, headers, problem, response };
  }
  const admitted: WebAdmitted = {
    allowed: true,
    decision,
    headers,
    wrap: (response) => {
      if (typeof (response as Response | undefined)?.status !== 'number') throw invalidResponse(response);
      return withHeaders(response, subject, admitted);
    },
  };
  subject.ending.closeWithout(admitted);
  return admitted;
}

/** No client reads it. */
function noResponse(): Response {
  return new Response(null, { status: CLIENT_HAS_LEFT });
}

async function answerTo(gate: Gate<WebRequest, OnWebDenied>, request: WebRequest, denial: Denial): Promise<Response> {
  const { decision, problem } = denial;
  if (gate.onDenied) {
    const response: unknown = await gate.onDenied({ request, decision, problem });
    if (typeof (response as Response | undefined)?.status === 'number') return response as Response;
    const rule = 'onDenied must return a Response, such as Response.json({ … }, { status: problem.status })';
    throw new UsageError('FUNCTION_FAILED', `createWebGate: ${rule}, got ${kindOf(response)}`);
  }
  const { contentType, text } = await denial.body();
  return new Response(text, { status: problem.status, headers: { 'content-type': `${contentType}; charset=utf-8` } });
}

/** A copy, because applications may return one response several times, and some have headers that cannot be changed. */
function withHeaders(response: Response, subject: WebRequest, holder?: object): Response {
  const watched = subject.ending.watch(response, holder);
  const { responseHeaders } = subject;
  if (responseHeaders.pairs.length === 0) return watched;
  const copy = watched === response ? new Response(response.body, response) : watched;
  responseHeaders.applyTo(copy.headers);
  return copy;
}

function isClient(client: unknown): boolean {
  return typeof client === 'object' && client !== null;
}

function invalidClient(client: unknown): UsageError {
  const rule = `the client must be an object: write admit(request, { ip }), got ${kindOf(client)}`;
  return new UsageError('USAGE_INVALID', `createWebGate: ${rule}`);
}

function invalidResponse(response: unknown): UsageError {
  const got = isPromise(response) ? 'a promise: write wrap(await handle(request))' : kindOf(response);
  return new UsageError('USAGE_INVALID', `createWebGate: wrap must get a Response, got ${got}`);
}

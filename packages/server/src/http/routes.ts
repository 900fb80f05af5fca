import { isIP } from 'node:net';
import { OptionReader, type OptionRows, show } from '@sluice/http/adapter';
import type { Costs, Decision, Key } from '@sluice/core';
import { UnfitRequest } from '../deciding/round.js';
import type { ServedResponse } from '../deciding/served-response.js';
import type { Service } from '../deciding/service.js';
import type { Facts } from '../rules/facts.js';

/** What a route answers. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: object;
}

/** A call of a route: its JSON, checked by nobody yet. */
export interface RouteCall {
  readonly body: Readonly<Record<string, unknown>>;
  readonly service: Service;
  readonly response: ServedResponse;
}

export interface Route {
  /** In OpenAPI. */
  readonly summary: string;
  /** Undefined if the program that has asked is gone. */
  answer(call: RouteCall): Promise<Reply | undefined>;
}

const JSON_TYPE = 'application/json';
const MAX_HEADERS = 100;
/** As many as a rule of descriptors may have. */
const MAX_PARTS = 16;

export const CHECK_ROWS = {
  limiter: { is: 'string', words: 'the name of a limiter of the file', required: true },
  request: { is: isRecord, words: 'what is known of the request, such as { "ip": "203.0.113.7" }' },
  identities: { is: isRecord, words: 'identities by the names of keys, such as { "tenant": "acme" }' },
  plan: { is: 'string', words: 'the name of a plan' },
  cost: { integer: [0, Number.MAX_SAFE_INTEGER] },
  peek: { oneOf: [true, false] },
} as const satisfies OptionRows;

export const REQUEST_ROWS = {
  ip: { is: isAddress, words: 'the address of the client, such as 203.0.113.7' },
  method: { is: /^[A-Za-z-]{1,32}$/, words: 'a method, such as GET' },
  url: { is: 'string', words: 'the path of the request, with its query' },
  headers: { is: areHeaders, words: `at most ${MAX_HEADERS} headers, such as { "x-api-key": "…" }` },
  auth: { is: isRecord, words: 'the claims of a verified token, such as { "iss": "…", "sub": "…" }' },
  user: { is: isRecord, words: 'the authenticated caller' },
  sessionID: { is: 'string', words: 'the id of the session' },
} as const satisfies OptionRows;

const RECEIPT = { is: 'string', words: 'the receipt of an answer of /check', required: true, secret: true } as const;
export const REFUND_ROWS = {
  receipt: RECEIPT,
  units: { is: areCosts, words: 'the most units to give back, or such units by the names of tiers' },
} as const satisfies OptionRows;
export const SETTLE_ROWS = {
  receipt: RECEIPT,
  cost: { is: areCosts, words: 'the real cost, or such costs by the names of tiers', required: true },
} as const satisfies OptionRows;
export const RECEIPT_ROWS = { receipt: RECEIPT } as const satisfies OptionRows;

/** The routes of the service, by method and path. OpenAPI is held equal to them. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'POST /check': { summary: 'Decides a request by all tiers of a limiter, and charges it.', answer: check },
  'POST /refund': {
    summary: 'Gives back what a decision has charged, once.',
    answer: async ({ body, service }) => {
      read('refund', body, REFUND_ROWS);
      return json({ given: await service.receipts.refund(body['receipt'], body['units'] as Costs | undefined) });
    },
  },
  'POST /settle': {
    summary: 'Corrects a reserved cost to the real one, once: it gives units back, or charges more.',
    answer: async ({ body, service }) => {
      read('settle', body, SETTLE_ROWS);
      return json({ charged: await service.receipts.settle(body['receipt'], body['cost'] as Costs) });
    },
  },
  'POST /release': {
    summary: 'Ends the permits of a decision.',
    answer: async ({ body, service }) => {
      read('release', body, RECEIPT_ROWS);
      return json({ released: await service.receipts.release(body['receipt']) });
    },
  },
  'POST /renew': {
    summary: 'Lets the permits of a decision count for another hold.',
    answer: async ({ body, service }) => {
      read('renew', body, RECEIPT_ROWS);
      return json(await service.receipts.renew(body['receipt']));
    },
  },
};

async function check({ body, service, response }: RouteCall): Promise<Reply | undefined> {
  const values = read('check', body, CHECK_ROWS);
  const request = (values.request ?? {}) as Readonly<Record<string, unknown>>;
  read('check: request', request, REQUEST_ROWS);
  checkIdentities(values.identities ?? {});
  const limiter = values.limiter as string;
  const { peek = false, cost = 1 } = values;
  const facts = factsOf(request, values.identities as Facts['identities'], values.plan as string | undefined);
  const answer = await service.check({ limiter, facts, question: { cost, isPeek: peek } }, response);
  if (answer === undefined) return undefined;
  const { decision, headers, denial } = answer;
  const receipt = peek ? undefined : service.receiptOf(limiter, decision);
  const said = {
    allowed: decision.allowed,
    decision: decisionJson(decision),
    ...(receipt !== undefined && { receipt }),
  };
  if (denial === undefined) return { status: 200, contentType: JSON_TYPE, headers, body: said };
  const { status, contentType, body: problem } = denial;
  return { status, contentType, headers, body: { ...(JSON.parse(problem) as object), ...said } };
}

/** Facts as the frameworks give them to key functions: names of headers in lower case. */
function factsOf(
  request: Readonly<Record<string, unknown>>,
  identities: Facts['identities'],
  plan: string | undefined,
): Facts {
  const { headers } = request as { readonly headers?: Readonly<Record<string, string>> };
  const lower =
    headers && Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
  return { ...(request as Facts), headers: lower, identities, plan };
}

/** A decision as JSON, which has no `Infinity`: null stands for a wait that no time ends. */
export function decisionJson(decision: Decision): object {
  const { allowed, reason, deniedBy, demotedBy, paidBy, outcomes, retryAfter, place, delay, source, degraded } =
    decision;
  return {
    allowed,
    reason,
    deniedBy,
    ...(demotedBy !== undefined && { demotedBy }),
    ...(paidBy !== undefined && { paidBy }),
    ...(place !== undefined && { place }),
    ...(decision.binding !== undefined && { binding: decision.binding.tier }),
    outcomes,
    retryAfter,
    delay,
    source,
    degraded,
  };
}

function read<Rows extends OptionRows>(owner: string, body: object, rows: Rows) {
  return new OptionReader(owner, body, rows).read(rows);
}

function json(body: object): Reply {
  return { status: 200, contentType: JSON_TYPE, headers: [], body };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && isIP(value) !== 0;
}

function areHeaders(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).length <= MAX_HEADERS &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}

function areCosts(value: unknown): boolean {
  const isCost = (units: unknown) => Number.isSafeInteger(units) && (units as number) >= 0;
  return isCost(value) || (isRecord(value) && Object.values(value).every(isCost));
}

/** @throws UnfitRequest that names the identity, and does not show it */
function checkIdentities(identities: object): void {
  for (const [name, identity] of Object.entries(identities)) {
    if (isIdentity(identity)) continue;
    const rule = 'must be a text of 1 to 512 characters, a whole number or { kind, parts } with such texts';
    throw new UnfitRequest(`check: identities.${name.slice(0, 80)} ${rule}`);
  }
}

function isIdentity(value: unknown): value is Key {
  if (typeof value === 'string') return value !== '' && value.length <= 512;
  if (Number.isSafeInteger(value)) return true;
  const { kind, parts } = Object(value) as { readonly kind?: unknown; readonly parts?: unknown };
  return (
    typeof kind === 'string' &&
    kind !== '' &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.length <= MAX_PARTS &&
    parts.every((each) => typeof each === 'string' && each.length <= 512)
  );
}

/** What a client sends is shown to it shortly. */
export function unknownRoute(route: string): UnfitRequest {
  const known = [...Object.keys(ROUTES), 'GET /openapi.json'].join(', ');
  return new UnfitRequest(`there is no ${show(route.slice(0, 80))}: the routes are ${known}`);
}

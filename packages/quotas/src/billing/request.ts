import { messageOf } from '../usage/message-of.js';

/** A service that does not answer must not keep the lock of the export. */
const TIMEOUT_MS = 10_000;
/** A text of an error page could fill a log. */
const MAX_TEXT = 300;

/** A request of a billing service. */
export interface BillingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Its token. No message contains it. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

/** What a billing service has answered. */
export interface BillingAnswer {
  /** 0 where no answer has come, so that nobody knows what the service has stored. */
  readonly status: number;
  readonly body: string;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;
}

/** Sends a request, and waits 10 s for the answer. It never rejects. */
export async function send({ url, key, signal, headers, ...request }: BillingRequest): Promise<BillingAnswer> {
  const alarm = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      ...request,
      headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      // A redirect could take the token to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, alarm]),
    });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const retryAfter = seconds >= 0 ? seconds : undefined;
    return { status: response.status, body: withoutKey(await response.text(), key), retryAfter };
  } catch (error) {
    const reason = alarm.aborted ? `no answer in ${TIMEOUT_MS / 1e3} s` : messageOf(error);
    return { status: 0, body: withoutKey(reason, key), retryAfter: undefined };
  }
}

/** A sentence about an answer that is no success. @param service its name */
export function refusal(service: string, answer: BillingAnswer): string {
  if (answer.status === 0) return `${service} cannot be reached: ${answer.body}`;
  const text = errorOf(answer).trim().slice(0, MAX_TEXT);
  return `${service} answers ${answer.status}${text === '' ? '' : `: ${text}`}`;
}

/** The message of an error: of Stripe, of RFC 9457, or the whole text. */
export function errorOf({ body }: BillingAnswer): string {
  try {
    const { error, detail } = Object(JSON.parse(body)) as { error?: { message?: unknown }; detail?: unknown };
    const message = error?.message ?? detail;
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined ? text : text.replaceAll(key, '(the key)');
}

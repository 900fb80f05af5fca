import { StoreError } from '@sluice/core/internal';
import type { Endpoint, Readiness } from './endpoint.js';
import { redactCommand, unreachable } from './classify-error.js';
import type { Refusals } from './refusals.js';

/** A client that may know why it is not ready. */
interface FailingClient {
  readonly lastError?: Error | undefined;
}

/** Why servers get no calls now, as the errors of requests. */
export class Outages {
  readonly #client: FailingClient;
  readonly #refusals: Refusals;

  constructor(client: FailingClient, refusals: Refusals) {
    this.#client = client;
    this.#refusals = refusals;
  }

  /** The error of a call that would not be sent. */
  of(endpoint: Endpoint, readiness: Readiness): StoreError | undefined {
    switch (readiness) {
      case 'down':
        return this.notReady(endpoint);
      case 'ready':
        return isOpen(endpoint) ? this.breakerOpen(endpoint) : undefined;
      default:
        return undefined;
    }
  }

  breakerOpen({ breaker, outage }: Endpoint): StoreError {
    return outage.because(breaker.problem, () => unreachable(`circuit breaker open: ${breaker.problem}`));
  }

  notReady({ status, outage, mistake }: Endpoint): StoreError {
    const lastError = mistake ?? this.#client.lastError;
    if (lastError === undefined) {
      return outage.because(status, () => unreachable(reasonOf(status)));
    }
    const error = outage.because(lastError, () => {
      const cause = redactCommand(lastError);
      return unreachable(cause.message, cause);
    });
    if (outage.isRefusal) this.#refusals.report(error.cause as Error);
    return error;
  }
}

/** Why a client is not ready, with the repair where a mistake of the application explains it. */
function reasonOf(status: string): string {
  if (status === 'wait') return 'the client is not connected: await client.connect() before the first request';
  if (status === 'unready')
    return 'isReady of clientOf has not been true yet: connect the client before the first request';
  return `the client is not ready, its status is ${status}`;
}

/** Reads the clock only for a breaker that is not closed, because every request asks. */
export function isOpen({ breaker }: Endpoint): boolean {
  return breaker.state !== 'closed' && breaker.rejects(performance.now());
}

/** A copy of the error, because the caller, for example of `reset`, may change it. */
export function copyOf({ code, message, cause }: StoreError): StoreError {
  return new StoreError(code, message, cause === undefined ? undefined : { cause });
}

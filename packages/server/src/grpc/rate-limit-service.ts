import { isSluiceError } from '@sluice/core/internal';
import { UnfitRequest } from '../deciding/round.js';
import type { ServedResponse } from '../deciding/served-response.js';
import type { Answered, Service } from '../deciding/service.js';
import { MalformedMessage } from '../protobuf/message-reader.js';
import { responseOf } from './answered-rounds.js';
import { OversizedRequest, readRequest, type RateLimitRequest } from './rate-limit-request.js';
import { OVER_LIMIT, writeResponse } from './rate-limit-response.js';
import { type Failure, status } from './status.js';

/** The answer to a call, or its error. */
export type RateLimitAnswer = { readonly bytes: Buffer; readonly isOverLimit: boolean } | Failure;

/** `envoy.service.ratelimit.v3.RateLimitService` without its transport: bytes of a request enter, and bytes leave. */
export class RateLimitService {
  readonly #service: Service;
  readonly #mostDescriptors: number;

  constructor(service: Service, mostDescriptors: number) {
    this.#service = service;
    this.#mostDescriptors = mostDescriptors;
  }

  async shouldRateLimit(bytes: Buffer, response: ServedResponse): Promise<RateLimitAnswer> {
    try {
      return await this.#answer(readRequest(bytes, { descriptors: this.#mostDescriptors }), response);
    } catch (error) {
      return failureOf(error);
    }
  }

  async #answer(
    { domain, descriptors, hitsAddend }: RateLimitRequest,
    served: ServedResponse,
  ): Promise<RateLimitAnswer> {
    if (domain === '') throw new UnfitRequest('domain is missing: it must be the name of a limiter');
    if (descriptors.length === 0) throw new UnfitRequest('descriptors are missing: there must be at least one');
    const cost = hitsAddend === 0 ? 1 : hitsAddend;
    const answered = await this.#service.checkDescriptors({ domain, descriptors, cost }, served);
    if (answered === undefined) return { code: status.CANCELLED, details: 'the client has gone' };
    const unavailable = answered.find(({ answer }) => answer.decision.reason === 'unavailable');
    // Envoy then does what its own failure_mode_deny says.
    if (unavailable !== undefined)
      return { code: status.UNAVAILABLE, details: 'Redis is away, and the limiter denies then' };
    const response = responseOf(answered, { count: descriptors.length, receipt: this.#receiptFor(domain, answered) });
    return { bytes: writeResponse(response), isOverLimit: response.overallCode === OVER_LIMIT };
  }

  /** The header with the receipt, for the service behind Envoy. */
  #receiptFor(domain: string, answered: readonly Answered[]): readonly [string, string] | undefined {
    const { receiptHeader } = this.#service.rules;
    if (receiptHeader === undefined || answered.some(({ answer }) => answer.denial !== undefined)) return undefined;
    const receipt = this.#service.receiptOf(domain, ...answered.map(({ answer }) => answer.decision));
    return receipt === undefined ? undefined : [receiptHeader, receipt];
  }
}

function failureOf(error: unknown): RateLimitAnswer {
  if (error instanceof MalformedMessage)
    return { code: status.INVALID_ARGUMENT, details: `RateLimitRequest: ${error.message}` };
  if (error instanceof OversizedRequest) return { code: status.RESOURCE_EXHAUSTED, details: error.message };
  if (error instanceof UnfitRequest) return { code: status.INVALID_ARGUMENT, details: error.message };
  if (isSluiceError(error) && error.name === 'UsageError')
    return { code: status.INVALID_ARGUMENT, details: reasonOf(error) };
  if (isSluiceError(error) && error.name === 'StoreError') return { code: status.UNAVAILABLE, details: error.message };
  return { code: status.INTERNAL, details: 'the service has failed: its log says why' };
}

/** The reason of a function of ours is in the cause of the error of the tier. */
export function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && isSluiceError(cause) ? cause.message : error.message;
}

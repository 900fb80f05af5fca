export const PROTOCOLS = ['grpc', 'http'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * How a call has ended. `refused`: it was wrong, so that no limit has counted it. `unauthenticated`: without the token.
 * `unavailable`: Redis is away, and the limiter denies then. `gone`: its program no longer waited. `failed`: by a fault of the service.
 */
export const CALL_RESULTS = [
  'ok',
  'over_limit',
  'refused',
  'unauthenticated',
  'unavailable',
  'gone',
  'failed',
] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/** By the number of gRPC. Others are refused. */
const BY_CODE: Readonly<Record<number, CallResult>> = {
  0: 'ok',
  1: 'gone',
  4: 'gone',
  13: 'failed',
  14: 'unavailable',
  16: 'unauthenticated',
};

export function resultOfCode(code: number, isOverLimit: boolean): CallResult {
  return isOverLimit ? 'over_limit' : (BY_CODE[code] ?? 'refused');
}

/** By the status of HTTP. Others are refused. */
const BY_STATUS: Readonly<Record<number, CallResult>> = {
  200: 'ok',
  401: 'unauthenticated',
  429: 'over_limit',
  499: 'gone',
  500: 'failed',
  503: 'unavailable',
};

export function resultOfStatus(status: number): CallResult {
  return BY_STATUS[status] ?? 'refused';
}

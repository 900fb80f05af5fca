/** The codes of gRPC that the service answers with, by their names. */
export const status = {
  OK: 0,
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type StatusCode = (typeof status)[keyof typeof status];

/** How a call ends that is not answered. */
export interface Failure {
  readonly code: StatusCode;
  /** For the program that has called. */
  readonly details: string;
}

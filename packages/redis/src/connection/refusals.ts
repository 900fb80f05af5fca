import { channels, warn } from '@sluice/core/internal';
import { classifyError } from './classify-error.js';

/** Milliseconds before the same refusal is reported again. */
const INTERVAL_MS = 60_000;

/** Reports errors that last until an operator changes something. */
export class Refusals {
  /** By the message, in milliseconds of `performance.now()`. */
  readonly #reportedAt = new Map<string, number>();

  /** @param error any that a server has answered */
  report(error: Error): void {
    if (!isConfiguration(error)) return;
    const { message } = error;
    const now = performance.now();
    if (now - (this.#reportedAt.get(message) ?? -Infinity) < INTERVAL_MS) return;
    this.#reportedAt.set(message, now);
    warn(
      'SLUICE_REDIS_REFUSES',
      `redisStore: Redis refuses requests until its configuration or yours changes: ${message}`,
    );
    if (channels.configFault.hasSubscribers) channels.configFault.publish({ problem: message });
  }
}

export function isConfiguration(error: Error | undefined): boolean {
  return error !== undefined && classifyError(error) === 'configuration';
}

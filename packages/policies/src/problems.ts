import { warn } from '@sluice/http/adapter';
import { channels } from '@sluice/metrics/operations';

/** What can be wrong at the same time. `away`: it cannot be read. `wrong`: other programs have written it. What all processes should have comes first. */
const CAUSES = ['redis', 'redis-wrong', 'overrides', 'file', 'file-away', 'redis-away'] as const;

type Cause = (typeof CAUSES)[number];

/** Why what is in force is not the newest. Each problem is reported once, however often it is met. */
export class Problems {
  readonly #errors = new Map<Cause, Error>();
  #count = 0;

  /** Texts that were refused, or could not be read. */
  get count(): number {
    return this.#count;
  }

  /** The message of the one that matters most. */
  get current(): string | undefined {
    const cause = CAUSES.find((each) => this.#errors.has(each));
    return cause && this.#errors.get(cause)!.message;
  }

  report(cause: Cause, error: Error, version?: number): void {
    const { message } = error;
    const isKnown = this.#errors.get(cause)?.message === message;
    this.#errors.set(cause, error);
    if (isKnown) return;
    this.#count += 1;
    warn('SLUICE_POLICIES_REJECTED', `${message}. The policies in force stay`, message);
    if (!channels.policies.hasSubscribers) return;
    const source = cause.startsWith('file') ? 'file' : 'redis';
    channels.policies.publish({
      state: 'rejected',
      source,
      problem: message,
      ...(version !== undefined && { version }),
    });
  }

  end(cause: Cause): void {
    this.#errors.delete(cause);
  }

  /** @throws the error of a cause, while it lasts */
  repeat(cause: Cause): void {
    const error = this.#errors.get(cause);
    if (error !== undefined) throw error;
  }
}

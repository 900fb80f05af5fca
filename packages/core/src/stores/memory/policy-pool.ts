import { policyText, type Policy } from '../../model/policy.js';

/**
 * Equal policies share one number, so that a record refers to its policy in 30 bits. Limits that are functions bring new
 * policies with every request: the number of a policy without users goes to the next one.
 */
export class PolicyPool {
  readonly #entries: (Entry | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  readonly #byText = new Map<string, Entry>();
  /** A tier brings the same object with every request. */
  readonly #byObject = new WeakMap<Policy, Entry>();

  /** Policies in use. */
  get size(): number {
    return this.#byText.size;
  }

  at(number: number): Policy {
    return this.#entries[number]!.policy;
  }

  /** The number of a policy, for one more user. */
  acquire(policy: Policy): number {
    let entry = this.#byObject.get(policy);
    if (entry === undefined || entry.users === 0) {
      entry = this.#entryOf(policy);
      this.#byObject.set(policy, entry);
    }
    entry.users += 1;
    return entry.number;
  }

  /** One user more, of a policy in use. */
  retain(number: number): void {
    this.#entries[number]!.users += 1;
  }

  /** One user less. */
  release(number: number): void {
    const entry = this.#entries[number]!;
    entry.users -= 1;
    if (entry.users > 0) return;
    this.#byText.delete(entry.text);
    this.#entries[number] = undefined;
    this.#freeNumbers.push(number);
  }

  #entryOf(policy: Policy): Entry {
    const text = policyText(policy);
    const equal = this.#byText.get(text);
    if (equal) return equal;
    const entry = { policy, text, number: this.#freeNumbers.pop() ?? this.#entries.length, users: 0 };
    this.#entries[entry.number] = entry;
    this.#byText.set(text, entry);
    return entry;
  }
}

interface Entry {
  readonly policy: Policy;
  readonly text: string;
  readonly number: number;
  users: number;
}

import { policyText, type Policy } from '../../model/policy.js';

/**
 * The policies that are in use, each once, so that a slot names its policy by a number. Where limits are functions,
 * policies come and go with every request: one that nobody uses any more leaves its number to the next.
 */
export class PolicyList {
  readonly #entries: (Entry | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #byText = new Map<string, Entry>();
  /** Spares known objects the way over their text. */
  readonly #known = new WeakMap<Policy, Entry>();

  /** Policies in use. */
  get size(): number {
    return this.#byText.size;
  }

  at(index: number): Policy {
    return this.#entries[index]!.policy;
  }

  /** The number of a policy, for one more user. */
  acquire(policy: Policy): number {
    let entry = this.#known.get(policy);
    if (entry === undefined || entry.uses === 0) {
      entry = this.#entryOf(policy);
      this.#known.set(policy, entry);
    }
    entry.uses += 1;
    return entry.index;
  }

  /** One user less. */
  release(index: number): void {
    const entry = this.#entries[index]!;
    entry.uses -= 1;
    if (entry.uses > 0) return;
    this.#byText.delete(entry.text);
    this.#entries[index] = undefined;
    this.#free.push(index);
  }

  #entryOf(policy: Policy): Entry {
    const text = policyText(policy);
    const equal = this.#byText.get(text);
    if (equal) return equal;
    const entry = { policy, text, index: this.#free.pop() ?? this.#entries.length, uses: 0 };
    this.#entries[entry.index] = entry;
    this.#byText.set(text, entry);
    return entry;
  }
}

interface Entry {
  readonly policy: Policy;
  readonly text: string;
  readonly index: number;
  uses: number;
}

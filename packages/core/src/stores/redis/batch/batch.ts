import type { Claim } from '../../../model/claim.js';
import { toAnswer } from '../../answer.js';
import type { PendingCheck } from '../../pending-check.js';
import { encodeChecks } from '../encoding/encode-checks.js';
import type { DecodedReply, ScriptRequest } from '../encoding/script-request.js';
import type { Script } from '../lua/script.js';
import { unreadable } from '../connection/redis-error.js';

/** Requests that a call decides at most. */
export const GROUPS_MAX = 32;
const CLAIMS_MAX = 96;
/** Units of logs: each is an entry that is written. */
const ENTRIES_MAX = 1_000;

/** Checks that travel together: the script and what it is called with, and how its reply is read. */
export class Batch {
  /** When the first of them was asked for, in milliseconds of `performance.now()`. */
  readonly asked: number;
  readonly #checks: PendingCheck[] = [];
  #claims = 0;
  #entries = 0;
  #encoded: ScriptRequest | undefined;

  constructor(asked: number) {
    this.asked = asked;
  }

  get groups(): number {
    return this.#checks.length;
  }

  get full(): boolean {
    return this.#checks.length >= GROUPS_MAX || this.#claims >= CLAIMS_MAX || this.#entries >= ENTRIES_MAX;
  }

  hasRoomFor(group: readonly Claim[]): boolean {
    if (this.#checks.length === 0) return true;
    return (
      this.#checks.length < GROUPS_MAX &&
      this.#claims + group.length <= CLAIMS_MAX &&
      this.#entries + entriesOf(group) <= ENTRIES_MAX
    );
  }

  add(check: PendingCheck): void {
    this.#checks.push(check);
    this.#claims += check.group.length;
    this.#entries += entriesOf(check.group);
  }

  get script(): Script {
    return this.#request.script;
  }

  get keys(): readonly string[] {
    return this.#request.keys;
  }

  get arguments(): readonly (string | number)[] {
    return this.#request.args;
  }

  /** Gives every check its part of the reply. */
  answer(reply: unknown): void {
    const { now, rulings } = this.read(reply);
    const origin = { source: 'redis', now, sentAt: this.asked } as const;
    for (let index = 0; index < rulings.length; index += 1) {
      const check = this.#checks[index]!;
      const ruled = rulings[index]!;
      if (typeof ruled === 'string') check.answer.reject(unreadable(ruled));
      else check.answer.resolve(toAnswer(check.group, ruled, origin));
    }
  }

  /** The rulings of each check in order, or why it could not be decided. */
  read(reply: unknown): DecodedReply {
    return this.#request.decode(reply);
  }

  fail(error: unknown): void {
    for (const check of this.#checks) check.answer.reject(error);
  }

  /** The shortest way to ask for all of it, once it is all there. */
  get #request(): ScriptRequest {
    this.#encoded ??= encodeChecks(this.#checks);
    return this.#encoded;
  }
}

function entriesOf(group: readonly Claim[]): number {
  let entries = 0;
  for (const { policy, cost } of group) {
    if (policy.algorithm === 'sliding-window-log') entries += Math.min(cost, policy.capacity);
  }
  return entries;
}

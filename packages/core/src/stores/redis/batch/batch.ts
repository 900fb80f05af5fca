import { algorithms } from '../../../algorithms/algorithms.js';
import type { Claim } from '../../../model/claim.js';
import type { ConsumeTrace } from '../../../events/traces.js';
import type { StoreError } from '../../../model/errors.js';
import { toAnswer } from '../../answer.js';
import type { PendingCheck } from '../../pending-check.js';
import type { CallRequest } from '../connection/call.js';
import { unreadableKey } from '../connection/redis-error.js';
import { LikeChecks } from '../encoding/like-checks.js';
import { MixedGroups } from '../encoding/mixed-groups.js';
import type { Check, DecodedReply, ScriptRequest } from '../encoding/script-request.js';
import { UnitChecks } from '../encoding/unit-checks.js';

/** Requests in a batch. */
export const MAX_CHECKS = 32;
const MAX_CLAIMS = 96;
/** Units that are entries of their own, which Redis writes. */
const MAX_ENTRIES = 1_000;

const NO_CONSUMES: readonly ConsumeTrace[] = Object.freeze([]);

/** Checks that one script call decides. */
export class Batch implements CallRequest {
  /** In milliseconds of `performance.now()`. */
  readonly createdAt: number;
  readonly #onSettled: (checks: number) => void;
  readonly #checks: PendingCheck[] = [];
  #request: ScriptRequest | undefined;
  #claims = 0;
  #entries = 0;

  /** @param onSettled called before the checks get their answers */
  constructor(createdAt: number, onSettled: (checks: number) => void) {
    this.createdAt = createdAt;
    this.#onSettled = onSettled;
  }

  get size(): number {
    return this.#checks.length;
  }

  get isFull(): boolean {
    return this.size >= MAX_CHECKS || this.#claims >= MAX_CLAIMS || this.#entries >= MAX_ENTRIES;
  }

  /** An empty batch has room for any group. */
  hasRoomFor(group: readonly Claim[]): boolean {
    if (this.size === 0) return true;
    return (
      this.size < MAX_CHECKS &&
      this.#claims + group.length <= MAX_CLAIMS &&
      this.#entries + entriesOf(group) <= MAX_ENTRIES
    );
  }

  add(check: PendingCheck): void {
    this.#checks.push(check);
    this.#claims += check.group.length;
    this.#entries += entriesOf(check.group);
  }

  get groups(): number {
    return this.size;
  }

  /** Encodes the checks, once. No check may be added after that. */
  encode(): ScriptRequest {
    this.#request ??= encodeChecks(this.#checks);
    return this.#request;
  }

  /** The context of each `consume` that is followed, which is rarely any. */
  get consumes(): readonly ConsumeTrace[] {
    let consumes = NO_CONSUMES;
    for (const { group } of this.#checks) {
      const trace = group[0]!.trace as ConsumeTrace | undefined;
      if (trace !== undefined && !consumes.includes(trace)) consumes = [...consumes, trace];
    }
    return consumes;
  }

  decode(reply: unknown): DecodedReply {
    return this.encode().decode(reply);
  }

  resolve({ now, rulings }: DecodedReply): void {
    this.#onSettled(this.size);
    const origin = { source: 'redis', now, sentAt: this.createdAt } as const;
    for (let index = 0; index < rulings.length; index += 1) {
      const { group, answer } = this.#checks[index]!;
      const ruling = rulings[index]!;
      if (typeof ruling === 'string') answer.reject(unreadableKey(ruling));
      else answer.resolve(toAnswer(group, ruling, origin));
    }
  }

  reject(error: StoreError): void {
    this.#onSettled(this.size);
    for (const { answer } of this.#checks) answer.reject(error);
  }
}

/** Encodes checks for one script call, in the shortest form that can say them. */
export function encodeChecks(checks: readonly Check[]): ScriptRequest {
  return LikeChecks.of(checks) ?? UnitChecks.of(checks) ?? new MixedGroups(checks);
}

function entriesOf(group: readonly Claim[]): number {
  let entries = 0;
  for (const { policy, cost } of group) {
    if (algorithms[policy.algorithm].storesUnits) entries += Math.min(cost, policy.capacity);
  }
  return entries;
}

import type { Claim } from '../../../model/claim.js';
import { traces, type ConsumeTrace } from '../../../events/traces.js';
import { toAnswer } from '../../answer.js';
import type { PendingCheck } from '../../pending-check.js';
import type { CallRequest } from '../connection/call.js';
import { unreadableKey } from '../connection/redis-error.js';
import { MixedGroups } from '../encoding/mixed-groups.js';
import type { Check, DecodedReply, ScriptRequest } from '../encoding/script-request.js';
import { UniformGroups } from '../encoding/uniform-groups.js';
import { UnitChecks } from '../encoding/unit-checks.js';

/** Requests in a batch. */
export const MAX_CHECKS = 32;
const MAX_CLAIMS = 96;
/** Units of logs. Each of them is an entry that Redis writes. */
const MAX_LOG_ENTRIES = 1_000;

/** Checks that one script call decides. */
export class Batch {
  /** In milliseconds of `performance.now()`. */
  readonly createdAt: number;
  readonly #onSettled: (checks: number) => void;
  readonly #checks: PendingCheck[] = [];
  #claims = 0;
  #logEntries = 0;

  /** @param onSettled called before the checks get their answers */
  constructor(createdAt: number, onSettled: (checks: number) => void) {
    this.createdAt = createdAt;
    this.#onSettled = onSettled;
  }

  get size(): number {
    return this.#checks.length;
  }

  get isFull(): boolean {
    return this.size >= MAX_CHECKS || this.#claims >= MAX_CLAIMS || this.#logEntries >= MAX_LOG_ENTRIES;
  }

  /** An empty batch has room for any group. */
  hasRoomFor(group: readonly Claim[]): boolean {
    if (this.size === 0) return true;
    return (
      this.size < MAX_CHECKS &&
      this.#claims + group.length <= MAX_CLAIMS &&
      this.#logEntries + logEntries(group) <= MAX_LOG_ENTRIES
    );
  }

  add(check: PendingCheck): void {
    this.#checks.push(check);
    this.#claims += check.group.length;
    this.#logEntries += logEntries(check.group);
  }

  encode(): CallRequest {
    const request = encodeChecks(this.#checks);
    return {
      script: request.script,
      keys: request.keys,
      args: request.args,
      groups: this.size,
      ...(traces.call.start.hasSubscribers && { consumes: consumesOf(this.#checks) }),
      decode: (reply) => request.decode(reply),
      resolve: (decoded) => {
        this.#onSettled(this.size);
        this.#resolve(decoded as DecodedReply);
      },
      reject: (error) => {
        this.#onSettled(this.size);
        for (const { answer } of this.#checks) answer.reject(error);
      },
    };
  }

  #resolve({ now, rulings }: DecodedReply): void {
    const origin = { source: 'redis', now, sentAt: this.createdAt } as const;
    for (let index = 0; index < rulings.length; index += 1) {
      const { group, answer } = this.#checks[index]!;
      const ruling = rulings[index]!;
      if (typeof ruling === 'string') answer.reject(unreadableKey(ruling));
      else answer.resolve(toAnswer(group, ruling, origin));
    }
  }
}

/** The context of each `consume` that is traced. */
function consumesOf(checks: readonly Check[]): readonly ConsumeTrace[] {
  return [...new Set(checks.flatMap(({ group }) => (group[0]!.trace as ConsumeTrace | undefined) ?? []))];
}

/** Encodes checks for one script call, in the shortest form that can say them. */
export function encodeChecks(checks: readonly Check[]): ScriptRequest {
  return UnitChecks.of(checks) ?? UniformGroups.of(checks) ?? new MixedGroups(checks);
}

function logEntries(group: readonly Claim[]): number {
  let entries = 0;
  for (const { policy, cost } of group) {
    if (policy.algorithm === 'sliding-window-log') entries += Math.min(cost, policy.capacity);
  }
  return entries;
}

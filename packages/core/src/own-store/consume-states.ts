import { algorithmOf } from '../algorithms/algorithm.js';
import { acting } from '../algorithms/acting.js';
import { renewing } from '../algorithms/renewing.js';
import type { Candidate } from '../algorithms/candidate.js';
import { candidate, consumeGroup, peekGroup } from '../algorithms/group.js';
import type { Claim } from '../model/claim.js';
import type { ActValues, KeyAct } from '../model/key-act.js';
import type { Policy } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import { answerOf } from '../stores/answer.js';
import { toMicroseconds } from '../stores/decided-rates.js';
import type { StateKey } from '../stores/store.js';
import type { Answer } from '../model/answer.js';

/** A state of a key, as a store of your own keeps it. */
export interface StoredState {
  /** The state as JSON, in a form that depends on the algorithm. */
  readonly text: string;
  /**
   * The time in milliseconds since 1970 from which the state is worthless. A store may delete the state then, and not
   * before. It is `Infinity` for a balance with units, which must stay.
   */
  readonly expiresAt: number;
}

/** The decision about a group, and what a store has to write for it: all of it, or nothing. */
export interface GroupDecision {
  readonly answer: Answer;
  /** The new states by key. Keys that do not change are not here. */
  readonly states: ReadonlyMap<string, StoredState>;
  /** The strings to record with a key. They live as long as its state. */
  readonly records: readonly { readonly key: string; readonly text: string }[];
}

/**
 * Decides the claims of one request by the states of their keys, as the stores of this package do. Read the states,
 * call this and write the result in one transaction.
 *
 * @param textOf the stored text of a key; undefined for a key without one
 * @param now milliseconds since 1970, of one clock for all processes
 * @example
 * const { answer, states } = consumeStates(group, (key) => rows.get(key)?.text, Date.now());
 * for (const [key, state] of states) rows.set(key, state);
 */
export function consumeStates(
  group: readonly Claim[],
  textOf: (key: string) => string | undefined,
  now: number,
): GroupDecision {
  const microseconds = toMicroseconds(now);
  const candidates = candidatesOf(group, textOf);
  const isAdmitted = consumeGroup(candidates, microseconds);
  const changed = candidates.filter((each) => each.changed);
  return {
    answer: answerOf(candidates, { source: 'store', now: microseconds }),
    states: new Map(changed.map(({ claim, state }) => [claim.key, storedState(claim, state)])),
    records: (isAdmitted ? changed : []).flatMap(({ claim: { key, record }, charged }) =>
      record !== undefined && charged > 0 ? [{ key, text: record }] : [],
    ),
  };
}

/**
 * The answer that `consumeStates` would give. It changes nothing.
 *
 * @example const answer = peekStates(group, (key) => rows.get(key)?.text, Date.now());
 */
export function peekStates(group: readonly Claim[], textOf: (key: string) => string | undefined, now: number): Answer {
  const candidates = candidatesOf(group, textOf);
  const microseconds = toMicroseconds(now);
  peekGroup(candidates, microseconds);
  return answerOf(candidates, { source: 'store', now: microseconds });
}

/**
 * Gives back the units of one receipt.
 *
 * @param text the stored text of the receipt's key; undefined for a key without one
 * @param now milliseconds since 1970
 * @returns the units that came back, and the new state; undefined when nothing changes
 * @example
 * const { units, state } = refundState(receipt, rows.get(receipt.key)?.text, Date.now());
 * if (state) rows.set(receipt.key, state);
 */
export function refundState(
  receipt: Receipt,
  text: string | undefined,
  now: number,
): { readonly units: number; readonly state: StoredState | undefined } {
  if (text === undefined) return { units: 0, state: undefined };
  const { policy } = receipt;
  const ticks = Math.floor(toMicroseconds(now) / policy.tick);
  const { state, given } = algorithmOf(policy).refund(fromText(text, policy), ticks, policy, receipt);
  return { units: given, state: given === 0 ? undefined : storedState(receipt, state) };
}

/**
 * Lets the units of one receipt count from now on, whether they still did or not: for `renew` of a store of your own.
 *
 * @param text the stored text of the receipt's key; undefined for a key without one
 * @param now milliseconds since 1970
 * @returns the units that others could have been given in the meantime, and the new state
 * @example
 * const { lapsed, state } = renewState(receipt, rows.get(receipt.key)?.text, Date.now());
 * rows.set(receipt.key, state);
 */
export function renewState(
  receipt: Receipt,
  text: string | undefined,
  now: number,
): { readonly lapsed: number; readonly state: StoredState } {
  const { policy } = receipt;
  const ticks = Math.floor(toMicroseconds(now) / policy.tick);
  const stored = text === undefined ? undefined : fromText(text, policy);
  const { state, lapsed } = renewing.of(policy)!.renew(stored, ticks, policy, receipt);
  return { lapsed, state: storedState(receipt, state) };
}

/**
 * Does what a feature asks with the state of a key: for `act` of a store of your own.
 *
 * @param text the stored text of the key; undefined for a key without one
 * @param now milliseconds since 1970
 * @returns what `act` returns, and the new state; undefined where it does not change
 * @example
 * const { reply, state } = actState(owner, act, rows.get(owner.key)?.text, Date.now());
 * if (state) rows.set(owner.key, state);
 * return reply;
 */
export function actState(
  owner: StateKey,
  { name, args }: KeyAct,
  text: string | undefined,
  now: number,
): { readonly reply: ActValues; readonly state: StoredState | undefined } {
  const { policy } = owner;
  const stored = text === undefined ? undefined : fromText(text, policy);
  const ticks = Math.floor(toMicroseconds(now) / policy.tick);
  const { state, reply } = acting.of(policy)![name]!(stored, args, ticks);
  return { reply, state: state === undefined || state === stored ? undefined : storedState(owner, state) };
}

function candidatesOf(group: readonly Claim[], textOf: (key: string) => string | undefined): Candidate[] {
  return group.map((claim) => {
    const text = textOf(claim.key);
    return candidate(claim, text === undefined ? undefined : fromText(text, claim.policy));
  });
}

function storedState({ policy }: Pick<Claim, 'policy'>, state: unknown): StoredState {
  const ticks = algorithmOf(policy).expiresAt(state, policy);
  return { text: JSON.stringify(state), expiresAt: Math.ceil((ticks * policy.tick) / 1e3) };
}

function fromText(text: string, policy: Policy): unknown {
  const json = JSON.parse(text) as object;
  return algorithmOf(policy).revive(json);
}

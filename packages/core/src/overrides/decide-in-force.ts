import { chain, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { undoOf, type Receipt } from '../model/receipt.js';
import type { Answer, LegibleStore, RemoteStore, Store } from '../stores/store.js';
import type { ClaimSet } from '../limiter/claims/claim-set.js';
import { endingIn, inForceIn } from './in-force.js';
import type { Saying } from './override-entry.js';
import { OverriddenAnswer } from './overridden-answer.js';
import type { TierOverride } from './tier-override.js';

/** Where a request is decided. */
export interface Decider<Claims extends ClaimSet> {
  /** The store of the options: it says its time. */
  readonly store: Store & Partial<LegibleStore> & Partial<RemoteStore>;
  decide(claimSet: Claims): MaybePromise<Answer>;
  undo(receipts: readonly Receipt[]): MaybePromise<unknown>;
}

/** The claims that were decided, and the answer. */
export interface Decided<Claims extends ClaimSet> {
  readonly claimSet: Claims;
  readonly answer: Answer;
}

/**
 * Decides by the overrides that are in force at the time of the store. The end of an override may come between the choice of
 * the claims and their decision: then the decision is undone, and made again without it.
 */
export function decideInForce<Claims extends ClaimSet>(
  claimSet: Claims,
  decider: Decider<Claims>,
): MaybePromise<Decided<Claims>> {
  const overridden = inForceIn(claimSet);
  if (overridden === undefined) return chain(decider.decide(claimSet), (answer) => ({ claimSet, answer }));
  const ending = endingIn(overridden);
  const decided = (answer: Answer) => ({ claimSet, answer: new OverriddenAnswer(answer, overridden) });
  if (ending.length === 0) return chain(decider.decide(claimSet), decided);

  const again = () => decideInForce(overridden.again(), decider);
  const verify = (answer: Answer, sentAt: number) =>
    chain(isLate(answer, ending, { store: decider.store, sentAt }), (late) => {
      if (!late) return decided(answer);
      const { receipts } = answer;
      return receipts.length === 0 ? again() : chain(decider.undo(undoOf(receipts)), again);
    });
  const { store } = decider;
  // First: a decision by a larger limit can change how units are stored, and its undo does not change that back.
  return chain(hearTime(store, ending), () => {
    if (areOver(ending)) return again();
    const sentAt = performance.now();
    return chain(decider.decide(claimSet), (answer) => verify(answer, sentAt));
  });
}

interface Hearing {
  readonly store: Store & Partial<LegibleStore> & Partial<RemoteStore>;
  readonly sentAt: number;
}

/** Whether an answer was decided after the end of an override. Another request may have seen the end since. */
function isLate(answer: Answer, ending: readonly TierOverride[], { store, sentAt }: Hearing): MaybePromise<boolean> {
  // This process has decided alone, by its own clock.
  if (answer.fallback !== undefined) return false;
  const silent: TierOverride[] = [];
  for (const each of ending) {
    const { entry, probe } = each;
    const receipt = answer.receipts.find(({ tier, key }) => tier === probe.tier && key === probe.key);
    if (receipt === undefined) {
      silent.push(each);
      continue;
    }
    const tick = receipt.policy.tick / 1e3;
    const time = receipt.at * tick;
    entry.hear(time, { sentAt: answer.source === 'memory' ? undefined : sentAt, tick });
    if (entry.isOverAt(time)) return true;
  }
  // A denial has no receipt, and a remembered one was never sent.
  return chain(hearTime(store, silent), () => areOver(silent));
}

function areOver(overrides: readonly TierOverride[]): boolean {
  return overrides.some(({ entry }) => entry.isOver);
}

/** Asks the store for its time where that is not known well enough. */
export function hearTime(store: Hearing['store'], overrides: readonly TierOverride[]): MaybePromise<unknown> {
  const unsure = overrides.filter(({ entry }) => !entry.isCertain());
  if (unsure.length === 0) return undefined;
  const probes = unsure.map(({ probe }) => probe);
  const sentAt = performance.now();
  if (store.read === undefined) {
    // A store of the application has the clock of this process.
    for (const { entry } of unsure) entry.hear(Date.now(), { sentAt, tick: 1 });
    return undefined;
  }
  if (store.outageOf?.(probes) !== undefined) return undefined;
  const readings = store.read(probes);
  const onReadings = (isRemote: boolean) => (all: Awaited<typeof readings>) => {
    const saying: Saying = { sentAt: isRemote ? sentAt : undefined, tick: 0 };
    for (const [place, { entry }] of unsure.entries()) entry.hear(all[place]!.now / 1e3, saying);
  };
  // An outage decides nothing here: `onStoreFailure` does.
  return isPromise(readings) ? chain(readings, onReadings(true), () => undefined) : onReadings(false)(readings);
}

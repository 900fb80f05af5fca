import { definePolicy } from '../../packages/core/src/algorithms/named/policy-options.js';
import type { PermitPolicy } from '../../packages/core/src/algorithms/concurrency/permit-policy.js';
import { waitingPolicy } from '../../packages/core/src/algorithms/concurrency/wishes/waiting-concurrency.js';
import type { Policy } from '../../packages/core/src/model/policy.js';
import { composeScript } from '../../packages/core/src/scripts/compose.js';
import { emitterOf } from '../../packages/core/src/scripts/emitters.js';
import { generalScript } from '../../packages/core/src/scripts/general-scripts.js';
import { coveredPlaces, type CoveredPlaces } from '../../packages/core/src/scripts/payment.js';
import type { Script } from '../../packages/core/src/scripts/script.js';
import { type algorithmParts, scripts } from '../../packages/core/src/scripts/scripts.js';
import { FairCaller } from '../../packages/overload/src/fair/fair-caller.js';
import { linedPolicy } from '../../packages/overload/src/line/line-policy.js';
import { balance, notices } from '../../packages/quotas/src/index.js';
import { countedPolicy } from '../../packages/quotas/src/usage/counted-policy.js';

/** As many as `policyScriptOf` makes a script for. */
const MOST_TIERS = 12;

const window = { limit: 1_000, window: '1h' } as const;
const permits = { algorithm: 'concurrency', limit: 5 } as const;

/** Those of the same with a line. A limiter has one of them, so that no script has several. */
const lined = { lfw: 'fw', lsw: 'sw', lsl: 'sl', ltb: 'tb' } as const;

/** A policy of each other Lua twin. */
export const policiesByTwin: Readonly<Record<Exclude<keyof typeof algorithmParts, keyof typeof lined>, Policy>> = {
  fw: definePolicy({ algorithm: 'fixed-window', ...window }),
  fn: definePolicy({ algorithm: 'fixed-window', ...window, notices: notices(0.5, 1) }),
  sw: definePolicy(window),
  sl: definePolicy({ algorithm: 'sliding-window-log', limit: 10, window: '1s' }),
  tb: definePolicy({ algorithm: 'token-bucket', ...window }),
  lb: definePolicy({ algorithm: 'leaky-bucket', ...window, queue: 4 }),
  mw: definePolicy({ algorithm: 'multi-window', windows: [window, { limit: 10, window: '1m' }] }),
  cc: definePolicy(permits),
  cw: waitingPolicy(definePolicy(permits) as PermitPolicy),
  cf: definePolicy({ ...permits, fair: new FairCaller(1) }),
  bo: definePolicy({ algorithm: 'backoff', limit: 3, window: '1h', delays: ['1s'], forgive: 'one' }),
  pz: definePolicy({ algorithm: 'pause' }),
  ba: definePolicy({ algorithm: balance({ covers: ['rate'] }) }),
};

/** The scripts that Redis can be sent, by a name for messages. */
export function everyScript(): ReadonlyMap<string, Script> {
  return new Map([...Object.entries(scripts), ...generalScripts(), ...madeScripts(1), ...largestScripts()]);
}

/** Those that define the most. */
export function largestScripts(): ReadonlyMap<string, Script> {
  const all = Object.values(policiesByTwin);
  const general = bothWays(all).flatMap((policies, counted) =>
    (['consume', 'refund'] as const).map(
      (frame) => [`${frame} all, usage ${counted}`, generalScript(frame, policies)] as const,
    ),
  );
  const withLine = Object.entries(linedPolicies()).flatMap(([code, policy]) =>
    bothWays([...all, policy]).map(
      (policies, counted) => [`consume all and ${code}, usage ${counted}`, generalScript('consume', policies)] as const,
    ),
  );
  return new Map([['states', scripts.states], ...general, ...withLine, ...madeScripts(MOST_TIERS)]);
}

/** The policies of the same with a line. */
export function linedPolicies(): Readonly<Record<string, Policy>> {
  const entries = Object.entries(lined).map(([code, plain]) => [
    code,
    linedPolicy(policiesByTwin[plain], { longest: 1e9 }),
  ]);
  return Object.fromEntries(entries) as Record<string, Policy>;
}

/** The general script of each set of algorithms, with usage and without. Many sets have the same. */
function generalScripts(): readonly (readonly [string, Script])[] {
  const names = new Map<Script, string>();
  const all = Object.entries(policiesByTwin);
  for (let set = 1; set < 2 ** all.length; set += 1) {
    const chosen = all.filter((_, place) => Math.floor(set / 2 ** place) % 2 === 1);
    const name = chosen.map(([code]) => code).join('+');
    for (const [counted, policies] of bothWays(chosen.map(([, policy]) => policy)).entries()) {
      for (const frame of ['consume', 'refund'] as const) {
        names.set(generalScript(frame, policies), `${frame} ${name}, usage ${counted}`);
      }
    }
  }
  return [...names].map(([script, name]) => [name, script]);
}

/** The scripts of so many tiers of each algorithm that has one, of one tier of each, and of balances that pay for rates. */
function madeScripts(tiers: number): readonly (readonly [string, Script])[] {
  const made = Object.values(policiesByTwin).filter((policy) => emitterOf(policy) !== undefined);
  const rates = made.filter(({ algorithm }) => !algorithm.endsWithRequest);
  // A group has one permit.
  const groups = [...made, ...Object.values(linedPolicies())].map((policy) => [
    policy,
    ...Array.from({ length: tiers - 1 }, () => fillerOf(policy)),
  ]);
  return [...groups, [...rates, policiesByTwin.cw], ...coveredGroups(rates, tiers)].flatMap((group, place) =>
    bothWays(group).flatMap((each, counted) =>
      [false, true].map((hasCosts) => {
        const name = `made of ${tiers} tiers, ${place}, usage ${counted}, costs ${hasCosts}`;
        return [name, composeScript(each, coversOf(each), hasCosts)] as const;
      }),
    ),
  );
}

/** Groups of one rate and of all with one balance and with two, which cover all rates. A balance alone pays for nothing. */
function coveredGroups(policies: readonly Policy[], tiers: number): readonly (readonly Policy[])[] {
  const rates = policies.filter(({ algorithm }) => algorithm.refill !== undefined);
  return [1, 2].flatMap((balances) => {
    const payers = Array.from({ length: balances }, () => policiesByTwin.ba);
    const ofOne = rates.map((rate) => Array.from({ length: Math.max(tiers - balances, 1) }, () => rate));
    return [...ofOne, [...rates, policiesByTwin.cw]].map((group) => [...group, ...payers]);
  });
}

function coversOf(group: readonly Policy[]): CoveredPlaces {
  return coveredPlaces(group.map((policy) => ({ tier: policy.algorithm.refill === undefined ? '' : 'rate', policy })));
}

function fillerOf(policy: Policy): Policy {
  return policy.algorithm.endsWithRequest || policy.algorithm.twin in lined ? policiesByTwin.fw : policy;
}

/** Without usage, and with it. */
function bothWays(policies: readonly Policy[]): readonly [readonly Policy[], readonly Policy[]] {
  return [policies, policies.map((policy) => countedPolicy(policy))];
}

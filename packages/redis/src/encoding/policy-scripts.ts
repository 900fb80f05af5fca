import {
  algorithmOf,
  type Claim,
  coveredBy,
  isCounted,
  isNoted,
  type Kernel,
  ofFunctions,
  type Policy,
  policyText,
} from '@sluice/core/internal';
import {
  composeScript,
  coveredPlaces,
  type CoveredPlaces,
  emitterOf,
  replyShapeOf,
  type ReplyShape,
  type Script,
} from '@sluice/core/scripts';
import { hasNumbers } from './number-keys.js';

/** Lua has at most 200 locals, and a policy up to 12. */
const MAX_POLICIES = 12;
/** Redis keeps every script, 7 to 15 kB of text, until it restarts. */
const MAX_SCRIPTS = 512;
/** Of policies whose limit is a function, which can return any number. */
const MAX_OF_FUNCTIONS = 16;
/** Groups that begin with one policy. Limits by function bring new objects of equal policies for as long as it lasts. */
const MAX_GROUPS = 32;

/** The script for groups of some policies, in their order: of one unit each, or of the costs that they have. */
export interface PolicyScript {
  readonly policies: readonly Policy[];
  /** Which decide the states of the claims in place. It is undefined where one of them has none. */
  readonly kernels: readonly Kernel[] | undefined;
  readonly hasCosts: boolean;
  readonly script: Script;
  /** How its reply tells the state of the claim at each place. */
  readonly shapes: readonly ReplyShape[];
  /** The numbers of a group. */
  readonly width: number;
  /** Whether a state is a ring. */
  readonly hasRings: boolean;
  /** The place of the claim that says something to the script, such as the name of its permit, or -1. */
  readonly heldPlace: number;
  /** The names of the tiers, where balances cover tiers by their names. */
  readonly tiers: readonly string[] | undefined;
  /** Whether one of them has numbers beside its states. */
  readonly hasNumbers: boolean;
  /** Whether the policy at each place has usage. It is undefined if no policy has. */
  readonly counted: readonly boolean[] | undefined;
}

interface KnownGroup {
  readonly policies: readonly Policy[];
  readonly hasCosts: boolean;
  /** Undefined where no script is made for them. */
  readonly made: PolicyScript | undefined;
}

/** By the first policy. */
const known = new WeakMap<Policy, KnownGroup[]>();
/** By the numbers of all policies: limiters of equal tiers share a script. */
const texts = new Map<string, Script>();
let madeOfFunctions = 0;

/** The script for groups with the policies of this one. Undefined where none is made for them. */
export function policyScriptOf(group: readonly Claim[], hasCosts = false): PolicyScript | undefined {
  const { policy } = group[0]!;
  const groups = known.get(policy);
  if (groups !== undefined) {
    for (const each of groups) if (each.hasCosts === hasCosts && hasPolicies(group, each.policies)) return each.made;
  }
  const policies = group.map((claim) => claim.policy);
  const made = make(policies, group, hasCosts);
  const one = { policies, hasCosts, made };
  if (groups === undefined || groups.length >= MAX_GROUPS) known.set(policy, [one]);
  else groups.push(one);
  return made;
}

function make(policies: readonly Policy[], group: readonly Claim[], hasCosts: boolean): PolicyScript | undefined {
  if (policies.length > MAX_POLICIES || policies.some((policy) => emitterOf(policy) === undefined)) return undefined;
  // The script knows one name for a group.
  if (policies.filter(isNoted).length > 1) return undefined;
  const isCovered = policies.some((policy) => coveredBy(policy) !== undefined);
  // Alone it has nothing to pay for.
  if (isCovered && policies.length === 1) return undefined;
  const script = makeScript(policies, coveredPlaces(group), hasCosts);
  if (script === undefined) return undefined;
  const shapes = policies.map(replyShapeOf);
  const width = shapes.reduce((sum, each) => sum + each.width, 0);
  const hasRings = shapes.some(({ ring }) => ring > 0);
  const heldPlace = policies.findIndex(isNoted);
  const tiers = isCovered ? group.map(({ tier }) => tier) : undefined;
  const counted = countedPlaces(policies);
  const kernels = policies.map((policy) => algorithmOf(policy).kernel(policy));
  return {
    policies,
    kernels: kernels.includes(undefined) ? undefined : (kernels as Kernel[]),
    hasCosts,
    script,
    shapes,
    width,
    hasRings,
    heldPlace,
    tiers,
    hasNumbers: policies.some(hasNumbers),
    counted,
  };
}

function countedPlaces(policies: readonly Policy[]): PolicyScript['counted'] {
  const counted = policies.map(isCounted);
  return counted.includes(true) ? counted : undefined;
}

function makeScript(policies: readonly Policy[], covered: CoveredPlaces, hasCosts: boolean): Script | undefined {
  const each = policies.map((policy, place) => `${policyText(policy)} ${covered[place]}`).join('; ');
  const text = hasCosts ? `${each}; costs` : each;
  const made = texts.get(text);
  if (made !== undefined) return made;
  if (texts.size >= MAX_SCRIPTS) return undefined;
  if (policies.some((policy) => ofFunctions.has(policy))) {
    if (madeOfFunctions >= MAX_OF_FUNCTIONS) return undefined;
    madeOfFunctions += 1;
  }
  const script = composeScript(policies, covered, hasCosts);
  texts.set(text, script);
  return script;
}

/** Whether these are the policies of a group, in their order. */
function hasPolicies(group: readonly Claim[], policies: readonly Policy[]): boolean {
  if (group.length !== policies.length) return false;
  for (let place = 0; place < group.length; place += 1) if (group[place]!.policy !== policies[place]) return false;
  return true;
}

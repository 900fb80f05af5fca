import { givesNotice } from '../../algorithms/noticing.js';
import { definePolicy, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import { ConfigError } from '../../model/errors.js';
import { ofFunctions, type Policy } from '../../model/policy.js';
import { localShareOf } from './local-share.js';
import type { PolicyValue } from './policy-value.js';
import { scaledOptions } from './scaled-options.js';
import type { SubjectOption } from './subject-option.js';
import { zeroPolicyOf } from './zero-policy.js';

/** The number of limits of one tier whose policies are cached. With more limits the oldest policy is evicted. */
const MAX_CACHED = 1_000;

/** What all policies of a tier have in common. */
export interface PoliciesContext {
  readonly owner: string;
  readonly options: PolicyOptions;
  /** Undefined for an algorithm without a limit. */
  readonly limit: number | ((...args: never[]) => unknown) | undefined;
  /** Stands for the limit in the policy of a tier with a limit function. */
  readonly anyLimit: number;
  readonly own: Pick<SubjectOption<never>, 'name' | 'textOf'> | undefined;
  readonly unit: string | undefined;
  /** Values of options that change what decides. */
  readonly values: readonly PolicyValue[];
  /** Makes the policy of a bucket that has one size at all limits. It is undefined for other tiers. */
  readonly moving: ((policy: Policy) => Policy) | undefined;
  /** Of the limit, for this process alone. */
  readonly share: number;
}

/** What functions of a subject may have returned. */
interface Numbers {
  readonly limit: number | undefined;
  /** Of the option that depends on the subject. */
  readonly own?: unknown;
}

/** The policies of a tier, at each limit that it has. */
export class TierPolicies {
  /** Of the limit that the tier states. */
  readonly base: Policy;
  readonly #context: PoliciesContext;
  /** By limit, and by the option that depends on the subject. */
  readonly #made = new Map<number | string, Policy | ConfigError>();
  /** What this process allows on its own while the store is unavailable, by policies for which that is less. */
  readonly #local = new WeakMap<Policy, Policy>();
  /** Undefined until a limit is 0. */
  #zero: Policy | undefined;

  /** @throws ConfigError */
  constructor(context: PoliciesContext) {
    this.#context = context;
    const { limit, anyLimit } = context;
    this.base = this.#make({ limit: typeof limit === 'function' ? anyLimit : limit });
  }

  /**
   * @param own the value of the option that depends on the subject. @default that of the tier
   * @returns what is wrong with these numbers, where the other options do not allow them
   */
  at(limit: number, own?: unknown): Policy | ConfigError {
    const policy = this.base;
    const isStated =
      typeof this.#context.limit !== 'function' && limit === policy.limit && policy.calendar === undefined;
    if (isStated && own === undefined) return this.base;
    const entry = own === undefined ? limit : `${limit} ${this.#context.own!.textOf(own)}`;
    const known = this.#made.get(entry);
    if (known !== undefined && (known instanceof ConfigError || isCurrent(known))) return known;
    if (known === undefined && this.#made.size >= MAX_CACHED) this.#made.delete(this.#made.keys().next().value!);
    const made = this.#tryToMake({ limit, own });
    // A backoff has a policy of its own: it admits a request, and blocks after it.
    const chosen = limit === 0 && made instanceof ConfigError ? (this.#zero ??= zeroPolicyOf(policy)) : made;
    this.#made.set(entry, chosen);
    return chosen;
  }

  /** What this process allows on its own in the place of a policy of the tier. */
  localOf(policy: Policy): Policy {
    return this.#local.get(policy) ?? policy;
  }

  #tryToMake(numbers: Numbers): Policy | ConfigError {
    try {
      return this.#make(numbers);
    } catch (cause) {
      return cause as ConfigError;
    }
  }

  #make(numbers: Numbers): Policy {
    const options = this.#optionsAt(numbers);
    const policy = this.#policyOf(options, numbers, this.#context.values);
    const local = this.#localPolicyOf(policy, options, numbers);
    if (local === policy) return policy;
    this.#local.set(policy, local);
    if (policy.settling !== undefined) this.#local.set(policy.settling, local.settling ?? local);
    return policy;
  }

  #localPolicyOf(policy: Policy, options: PolicyOptions, numbers: Numbers): Policy {
    const { share, values } = this.#context;
    if (share === 1 && !givesNotice(policy) && values.length === 0) return policy;
    // A process alone does nothing of features, because it does not know what the others charge.
    const { notices: _notices, ...plain } = options as PolicyOptions & { readonly notices?: unknown };
    return this.#policyOf(share === 1 ? plain : localShareOf(plain, share), numbers, []);
  }

  #policyOf(options: PolicyOptions, { limit, own }: Numbers, values: PoliciesContext['values']): Policy {
    const { owner, moving, unit } = this.#context;
    const defined = definePolicy(options, owner);
    const moved = moving === undefined ? defined : moving(defined);
    const policy = values.reduce((each, value) => value.policyOf(each), moved);
    const isMade = limit !== this.#context.limit || own !== undefined;
    if (unit === undefined && !isMade) return policy;
    const made = Object.freeze({ ...policy, ...(unit && { unit }) });
    if (isMade) ofFunctions.set(made, true);
    return made;
  }

  #optionsAt({ limit, own }: Numbers): PolicyOptions {
    const options = this.#optionsOf(limit);
    return own === undefined ? options : { ...options, [this.#context.own!.name]: own };
  }

  #optionsOf(limit: number | undefined): PolicyOptions {
    const { options, limit: stated } = this.#context;
    if (limit === undefined || limit === stated) return options;
    return typeof stated === 'function' ? ({ ...options, limit } as PolicyOptions) : scaledOptions(options, limit);
  }
}

/** False when its numbers are those of another time. */
function isCurrent({ calendar }: Policy): boolean {
  if (calendar === undefined) return true;
  const now = Date.now();
  const { lasts } = calendar;
  return lasts.from <= now && now < lasts.until;
}

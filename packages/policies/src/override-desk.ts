import { ConfigError, createLimiter, type Limiter, type Tier } from '@sluice/core';
import type { SharedLimiterOptions } from '@sluice/http/adapter';
import { IdentityDigest } from '@sluice/metrics/operations';
import { overridesOf, type OverrideOptions, type Overrides } from './overrides/index.js';
import { fieldOf, optionsOf } from './fleet/override-entry.js';
import { MAX_OVERRIDES } from './fleet/redis-overrides.js';
import { fingerprintOf, wrongSecret } from './fleet/secret-fingerprint.js';
import type { FleetOverride } from './fleet/fleet-state.js';
import type { OverrideSource } from './override-source.js';

interface DeskContext<S> {
  readonly limiter: Limiter<S>;
  readonly options: SharedLimiterOptions<S>;
  /** What operators have set. */
  readonly source: OverrideSource;
}

/** The overrides of one limiter: those of its file, and over them those of operators. */
export class OverrideDesk<S> {
  readonly #overrides: Overrides;
  readonly #source: OverrideSource;
  readonly #fingerprint: string | undefined;
  #tiers: ReadonlySet<string>;
  /** Of the file, by the names of fields. */
  #own = new Map<string, OverrideOptions>();
  /** Why overrides of operators are not in force, by the names of fields. */
  readonly #problems = new Map<string, string>();

  constructor({ limiter, options, source }: DeskContext<S>, tiers: readonly Tier<S>[]) {
    this.#overrides = overridesOf(limiter);
    this.#source = source;
    this.#tiers = namesOf(tiers);
    this.#fingerprint =
      options.secret === undefined
        ? undefined
        : fingerprintOf(this.#overrides, tiers[0]!.name!, options.partition !== undefined);
  }

  get fingerprint(): string | undefined {
    return this.#fingerprint;
  }

  get problems(): readonly string[] {
    return [...this.#problems.values()];
  }

  /** Puts all of them in force. @param own those of the file, which are right */
  replace(tiers: readonly Tier<S>[], own: readonly OverrideOptions[]): void {
    this.#tiers = namesOf(tiers);
    this.#own = new Map(this.#ofTiers(own).map((each) => [fieldOf(this.#overrides.check(each)), each]));
    this.#problems.clear();
    const all = new Map<string, OverrideOptions>(this.#own);
    const wanted = this.#ofTiers(this.#source.overrides()).filter((each) => this.#hasSecret(each));
    for (const each of wanted) all.set(fieldOf(each), optionsOf(each));
    try {
      this.#overrides.replace([...all.values()]);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#replaceFitting(all, wanted);
    }
  }

  /** Puts changes of operators in force. */
  change(fields: readonly string[]): void {
    const set: OverrideOptions[] = [];
    const remove: ReturnType<typeof choiceOf>[] = [];
    for (const field of fields) {
      const tier = field.slice(field.indexOf(' ') + 1);
      if (!this.#tiers.has(tier)) continue;
      this.#problems.delete(field);
      const wanted = this.#source.overrideOf(field);
      const isFitting = wanted !== undefined && this.#hasSecret(wanted) && this.#fits(wanted);
      const next = isFitting ? optionsOf(wanted) : this.#own.get(field);
      if (next === undefined) remove.push(choiceOf(field));
      else set.push(next);
    }
    if (set.length + remove.length === 0) return;
    try {
      this.#overrides.change({ set, remove });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const field of fields) this.#problems.set(field, error.message);
    }
  }

  /** Those that are right, as far as there is room for them. */
  #replaceFitting(all: Map<string, OverrideOptions>, wanted: readonly FleetOverride[]): void {
    for (const each of wanted) {
      const field = fieldOf(each);
      if (this.#fits(each)) continue;
      const own = this.#own.get(field);
      if (own === undefined) all.delete(field);
      else all.set(field, own);
    }
    // Those of operators are behind those of the file.
    const fitting = [...all.values()].slice(-MAX_OVERRIDES);
    if (fitting.length < all.size) {
      const rule = `at most ${MAX_OVERRIDES} overrides of a limiter are in force, and it has ${all.size} with those of the file`;
      this.#problems.set('', `override: ${rule}: remove some, or make the limit a function of the subject`);
    }
    this.#overrides.replace(fitting);
  }

  #hasSecret(override: FleetOverride): boolean {
    const problem = wrongSecret(override, this.#fingerprint);
    if (problem !== undefined) this.#problems.set(fieldOf(override), problem);
    return problem === undefined;
  }

  #fits(override: FleetOverride): boolean {
    try {
      this.#overrides.check(optionsOf(override));
      return true;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#problems.set(fieldOf(override), error.message);
      return false;
    }
  }

  #ofTiers<O extends { readonly tier: string }>(overrides: readonly O[]): readonly O[] {
    return overrides.filter(({ tier }) => this.#tiers.has(tier));
  }
}

/** The first mistake of overrides in a limiter with other tiers. */
export function mistakeIn<S>(
  { partition, secret }: SharedLimiterOptions<S>,
  tiers: readonly Tier<S>[],
  overrides: readonly OverrideOptions[],
): ConfigError | undefined {
  const own = overrides.filter(({ tier }) => namesOf(tiers).has(tier));
  if (own.length === 0) return undefined;
  const limiter = createLimiter<S>({ tiers, ...(partition && { partition }), ...(secret !== undefined && { secret }) });
  try {
    for (const each of own) overridesOf(limiter).check(each);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error;
  } finally {
    void limiter.close();
  }
}

function namesOf<S>(tiers: readonly Tier<S>[]): ReadonlySet<string> {
  return new Set(tiers.map(({ name }) => name!));
}

/** The identity of a field, to remove it. */
function choiceOf(field: string): Pick<OverrideOptions, 'tier' | 'identity' | 'partition'> {
  const end = field.indexOf(' ');
  const [digest, partition] = field.slice(0, end).split('.') as [string, string | undefined];
  return {
    tier: field.slice(end + 1),
    identity: new IdentityDigest(digest),
    ...(partition !== undefined && { partition: new IdentityDigest(partition) }),
  };
}

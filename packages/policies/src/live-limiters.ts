import { ConfigError, createLimiter, UsageError, type Limiter } from '@sluice/core';
import { show, type SharedLimiterOptions } from '@sluice/core/adapter';
import { overridesOf, type Override, type OverrideOptions } from '@sluice/core/overrides';
import { placedIn, type PolicyDocument } from './document/read-document.js';
import { endingLater, optionsOf } from './fleet/override-field.js';
import { stateRoutes } from './stated-routes.js';

interface LiveLimiter<S> {
  readonly limiter: Limiter<S>;
  readonly options: SharedLimiterOptions<S>;
}

/** The limiters of a process whose tiers a document has. */
export class LiveLimiters<S> {
  #document: PolicyDocument<S>;
  /** What operators have set, beside those of the document. */
  #overrides: readonly Override[] = [];
  readonly #limiters = new Map<string, LiveLimiter<S>>();

  constructor(document: PolicyDocument<S>) {
    this.#document = document;
  }

  get document(): PolicyDocument<S> {
    return this.#document;
  }

  /** @throws ConfigError */
  create(name: string, options: SharedLimiterOptions<S>): Limiter<S> {
    const { limiters, source, overrides } = this.#document;
    const tiers = limiters.get(name);
    if (tiers === undefined) {
      const names = [...limiters.keys()].join(', ');
      throw invalid(name, `must be a limiter of ${source.name}, which has ${names}, got ${show(name)}`);
    }
    if (this.#limiters.has(name)) throw invalid(name, 'must be created once: pass the limiter to all that share it');
    const limiter = createLimiter<S>({ ...options, tiers });
    overridesOf(limiter).replace(ofTiers(overrides, tiers));
    this.#limiters.set(name, { limiter, options });
    this.#stateRoutes(name, options);
    this.setOverrides(this.#overrides);
    return limiter;
  }

  /** Puts a document in force on all limiters in one turn, or on none. @throws ConfigError with the place in the document */
  replace(document: PolicyDocument<S>): void {
    const prepared = [...this.#limiters].map(([name, { limiter, options }]) => {
      const tiers = document.limiters.get(name);
      if (tiers === undefined) {
        throw document.source.fail(['limiters'], `policies: limiters must have "${name}", which this process uses`);
      }
      try {
        const [mistake] = mistakesIn(options, { tiers, overrides: ofTiers(document.overrides, tiers) });
        if (mistake) throw mistake.error;
        return limiter.prepare(tiers);
      } catch (cause) {
        if (!(cause instanceof ConfigError)) throw cause;
        throw placedIn([...document.entries.values()], cause);
      }
    });
    for (const each of prepared) each.commit();
    this.#document = document;
    for (const [name, { options }] of this.#limiters) this.#stateRoutes(name, options);
    this.setOverrides(this.#overrides);
  }

  #stateRoutes(name: string, { prefix = 'rl' }: SharedLimiterOptions<S>): void {
    const { limiters, routes } = this.#document;
    const own = routes.get(name)?.map(({ text }) => text);
    for (const tier of limiters.get(name)!) stateRoutes({ prefix, tier: tier.name!, routes: own });
  }

  /**
   * Puts the overrides of operators in force. Those of tiers that there are not wait for them.
   *
   * @returns why some are not in force
   */
  setOverrides(overrides: readonly Override[]): readonly string[] {
    this.#overrides = overrides;
    return [...this.#limiters].flatMap(([name, live]) => {
      const tiers = this.#document.limiters.get(name)!;
      const own = ofTiers(this.#document.overrides, tiers);
      const wanted = ofTiers(overrides, tiers).map(optionsOf);
      try {
        // The last one of an identity wins.
        overridesOf(live.limiter).replace([...own, ...wanted]);
        return [];
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const mistakes = mistakesIn(live.options, { tiers, overrides: wanted });
        const wrong = new Set(mistakes.map(({ override }) => override));
        const fitting = wanted.filter((each) => !wrong.has(each));
        overridesOf(live.limiter).replace([...own, ...fitting].slice(0, MAX_OVERRIDES));
        return mistakes.map(({ error: { message } }) => message);
      }
    });
  }

  /** An override as stores have it. It changes nothing. @throws ConfigError */
  check(options: OverrideOptions): Override {
    return endingLater(overridesOf(this.#limiterOf(options.tier)).check(options));
  }

  overrides(): readonly Override[] {
    return [...this.#limiters.values()].flatMap(({ limiter }) => overridesOf(limiter).list());
  }

  #limiterOf(tier: string): Limiter<S> {
    for (const [name, { limiter }] of this.#limiters) {
      if (this.#document.limiters.get(name)!.some((each) => each.name === tier)) return limiter;
    }
    const known = [...this.#document.entries.keys()].join(', ');
    const rule = `tier must be one of a limiter that this process has created; ${this.#document.source.name} has ${known}`;
    throw new UsageError('USAGE_INVALID', `override: ${rule}, got ${show(tier)}`);
  }
}

const MAX_OVERRIDES = 10_000;

interface Checked<S> {
  readonly tiers: NonNullable<ReturnType<PolicyDocument<S>['limiters']['get']>>;
  readonly overrides: readonly OverrideOptions[];
}

/** The mistakes of overrides in a limiter with other tiers. */
function mistakesIn<S>({ partition, secret }: SharedLimiterOptions<S>, { tiers, overrides }: Checked<S>) {
  if (overrides.length === 0) return [];
  const limiter = createLimiter<S>({ tiers, ...(partition && { partition }), ...(secret !== undefined && { secret }) });
  void limiter.close();
  return overrides.flatMap((override) => {
    try {
      overridesOf(limiter).check(override);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return [{ override, error }];
    }
  });
}

function ofTiers<O extends { readonly tier: string }>(
  overrides: readonly O[],
  tiers: readonly { name?: string }[],
): readonly O[] {
  if (overrides.length === 0) return overrides;
  const names = new Set(tiers.map(({ name }) => name));
  return overrides.filter(({ tier }) => names.has(tier));
}

function invalid(name: unknown, rule: string): ConfigError {
  return new ConfigError('OPTION_INVALID', 'name', name, `policies.limiter: name ${rule}`);
}

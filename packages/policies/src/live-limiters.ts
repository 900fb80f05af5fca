import { ConfigError, createLimiter, UsageError, type Limiter } from '@sluice/core';
import { show, type SharedLimiterOptions } from '@sluice/http/adapter';
import { overridesOf, type Override, type OverrideOptions } from './overrides/index.js';
import { placedIn, type PolicyDocument } from './document/read-document.js';
import { endingLater, fieldOf } from './fleet/override-entry.js';
import type { FleetOverride } from './fleet/fleet-state.js';
import { mistakeIn, OverrideDesk } from './override-desk.js';
import type { OverrideSource } from './override-source.js';
import { RouteWatch } from './route-watch.js';
import { stateRoutes } from './stated-routes.js';

interface LiveLimiter<S> {
  readonly limiter: Limiter<S>;
  readonly options: SharedLimiterOptions<S>;
  readonly desk: OverrideDesk<S>;
  readonly watch: RouteWatch;
}

interface LiveContext {
  /** What operators have set. */
  readonly source: OverrideSource;
  /** Of identities in keys. */
  readonly secret: string | undefined;
  /** A document may leave out a limiter of this process, which decides nothing then. */
  readonly losesLimiters?: boolean;
}

/** The limiters of a process whose tiers a document has. */
export class LiveLimiters<S> {
  #document: PolicyDocument<S>;
  readonly #context: LiveContext;
  readonly #limiters = new Map<string, LiveLimiter<S>>();

  constructor(document: PolicyDocument<S>, context: LiveContext) {
    this.#document = document;
    this.#context = context;
    for (const put of document.extensions) put();
  }

  get document(): PolicyDocument<S> {
    return this.#document;
  }

  /** Why overrides are not in force. */
  get problems(): readonly string[] {
    return [...this.#limiters.values()].flatMap(({ desk }) => desk.problems);
  }

  /** @throws ConfigError */
  create(name: string, given: SharedLimiterOptions<S>): Limiter<S> {
    const { limiters, source, overrides, routes } = this.#document;
    const tiers = limiters.get(name);
    if (tiers === undefined) {
      const names = [...limiters.keys()].join(', ');
      throw invalid(name, `must be a limiter of ${source.name}, which has ${names}, got ${show(name)}`);
    }
    if (this.#limiters.has(name)) throw invalid(name, 'must be created once: pass the limiter to all that share it');
    const { secret = this.#context.secret } = given;
    const options = secret === undefined ? given : { ...given, secret };
    const watch = new RouteWatch(name);
    const limiter = createLimiter<S>({ ...options, tiers: watch.watched(tiers, routes.get(name)) });
    watch.watch(routes.get(name));
    const desk = new OverrideDesk({ limiter, options, source: this.#context.source }, tiers);
    desk.replace(tiers, overrides);
    this.#limiters.set(name, { limiter, options, desk, watch });
    this.#stateRoutes(name, options);
    return limiter;
  }

  /** Puts a document in force on all limiters in one turn, or on none. @throws ConfigError with the place in the document */
  replace(document: PolicyDocument<S>): void {
    if (this.#context.losesLimiters === true) this.#close(document);
    const prepared = [...this.#limiters].map(([name, { limiter, options, watch }]) => {
      const tiers = document.limiters.get(name);
      if (tiers === undefined) {
        throw document.source.fail(['limiters'], `policies: limiters must have "${name}", which this process uses`);
      }
      try {
        const mistake = mistakeIn(options, tiers, document.overrides);
        if (mistake) throw mistake;
        return limiter.prepare(watch.watched(tiers, document.routes.get(name)));
      } catch (cause) {
        if (!(cause instanceof ConfigError)) throw cause;
        throw placedIn([...document.entries.values()], cause);
      }
    });
    for (const each of prepared) each.commit();
    this.#document = document;
    for (const [name, { options, desk, watch }] of this.#limiters) {
      watch.watch(document.routes.get(name));
      this.#stateRoutes(name, options);
      desk.replace(document.limiters.get(name)!, document.overrides);
    }
    // At the end: an extension that throws leaves nothing half done here.
    for (const put of document.extensions) put();
  }

  #close(document: PolicyDocument<S>): void {
    for (const [name, { limiter }] of this.#limiters) {
      if (document.limiters.has(name)) continue;
      this.#limiters.delete(name);
      void limiter.close();
    }
  }

  /** The names of the document that have no limiter here. */
  get missing(): readonly string[] {
    return [...this.#document.limiters.keys()].filter((name) => !this.#limiters.has(name));
  }

  #stateRoutes(name: string, { prefix = 'rl' }: SharedLimiterOptions<S>): void {
    const { limiters, routes } = this.#document;
    const own = routes.get(name)?.map(({ text }) => text);
    for (const tier of limiters.get(name)!) stateRoutes({ prefix, tier: tier.name!, routes: own });
  }

  /** Operators have changed some. Those of tiers that there are not wait for them. @param fields `fieldOf` the overrides */
  changeOverrides(fields: readonly string[]): void {
    for (const { desk } of this.#limiters.values()) desk.change(fields);
  }

  /** An override as stores have it. It changes nothing. The process needs no limiter of the tier. @throws ConfigError, UsageError */
  check(options: OverrideOptions): FleetOverride {
    const live = this.#liveOf(options.tier);
    const checked = live === undefined ? this.#checkAlone(options) : overridesOf(live.limiter).check(options);
    const fingerprint = live === undefined ? this.#fingerprintOf(options) : live.desk.fingerprint;
    return endingLater({ ...checked, ...(fingerprint !== undefined && { fingerprint }) });
  }

  /** Those in force, also of limiters that this process does not have. */
  overrides(): readonly Override[] {
    const own = [...this.#limiters.values()].flatMap(({ limiter }) =>
      overridesOf(limiter)
        .list()
        .map((each) => ({ ...each, ...timeOf(this.#context.source.overrideOf(fieldOf(each))) })),
    );
    const now = Date.now();
    const others = this.#context.source
      .overrides()
      .filter(({ tier, until = Infinity }) => this.#document.entries.has(tier) && until > now && !this.#liveOf(tier));
    return [...own, ...others.map(({ fingerprint: _hidden, ...each }) => each)];
  }

  get overrideCount(): number {
    return this.overrides().length;
  }

  #liveOf(tier: string): LiveLimiter<S> | undefined {
    for (const [name, live] of this.#limiters) {
      if (this.#document.limiters.get(name)!.some((each) => each.name === tier)) return live;
    }
    return undefined;
  }

  /** By a limiter of the document that lives for this check. */
  #checkAlone(options: OverrideOptions): Override {
    return this.#withTiersOf(options, (desk) => desk.overrides.check(options));
  }

  #fingerprintOf(options: OverrideOptions): string | undefined {
    return this.#withTiersOf(options, ({ desk }) => desk.fingerprint);
  }

  #withTiersOf<T>(options: OverrideOptions, use: (alone: Alone<S>) => T): T {
    const tiers = [...this.#document.limiters.values()].find((each) => each.some(({ name }) => name === options.tier));
    if (tiers === undefined) {
      const known = [...this.#document.entries.keys()].join(', ');
      const rule = `tier must be one of ${this.#document.source.name}, which has ${known}`;
      throw new UsageError('USAGE_INVALID', `override: ${rule}, got ${show(options.tier)}`);
    }
    const { secret } = this.#context;
    const shared: SharedLimiterOptions<S> = {
      ...(secret !== undefined && { secret }),
      // Whether its limiter has partitions is known where it is created.
      ...(options.partition !== undefined && { partition: () => 'partition' }),
    };
    const limiter = createLimiter<S>({ ...shared, tiers });
    try {
      const desk = new OverrideDesk({ limiter, options: shared, source: this.#context.source }, tiers);
      return use({ overrides: overridesOf(limiter), desk });
    } finally {
      void limiter.close();
    }
  }
}

interface Alone<S> {
  readonly overrides: ReturnType<typeof overridesOf>;
  readonly desk: OverrideDesk<S>;
}

function timeOf(override: FleetOverride | undefined): { readonly at?: number } {
  return override?.at === undefined ? {} : { at: override.at };
}

function invalid(name: unknown, rule: string): ConfigError {
  return new ConfigError('OPTION_INVALID', 'name', name, `policies.limiter: name ${rule}`);
}

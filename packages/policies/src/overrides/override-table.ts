import { channels, ConfigError, type Override, show } from '@sluice/core/internal';
import type { OverrideChanges, OverrideOptions, Overrides } from './overrides.js';
import { isOver } from './in-force.js';
import { OwnedOverrides, type Owned } from './owned-overrides.js';
import { readChoice, readOverride, type OverrideContext } from './read-override.js';

const MAX_OVERRIDES = 10_000;
const DAY_MS = 8.64e7;

interface TableContext {
  /** What overrides are checked against now. */
  readonly context: () => OverrideContext;
  /** Is called when an identity has got an override or another one, or has none any more. */
  readonly onOwners: () => void;
}

/** The overrides of a limiter. */
export class OverrideTable implements Overrides {
  readonly #context: () => OverrideContext;
  readonly #onOwners: () => void;
  #tiers = new Map<string, OwnedOverrides>();

  constructor({ context, onOwners }: TableContext) {
    this.#context = context;
    this.#onOwners = onOwners;
  }

  get isEmpty(): boolean {
    return this.#tiers.size === 0;
  }

  /** Those of the tiers of a name, also if they are over. */
  overridesOf(tier: string): OwnedOverrides | undefined {
    return this.#tiers.get(tier);
  }

  check(given: OverrideOptions): Override {
    return readOverride(given, this.#context());
  }

  set(given: OverrideOptions): Override {
    const override = this.check(given);
    const { until } = override;
    if (until !== undefined && until <= Date.now()) {
      const rule = 'until must be in the future, by the clock of this process';
      throw new ConfigError(
        'OPTION_INVALID',
        'until',
        until,
        `override: ${rule}, got ${new Date(until).toISOString()}`,
      );
    }
    this.#forgetEnded();
    const isNew = this.#find(override) === undefined;
    if (isNew && this.#size() >= MAX_OVERRIDES) throw tooMany(MAX_OVERRIDES + 1);
    this.#add(this.#tiers, override);
    this.#onOwners();
    publish('set', override);
    return override;
  }

  remove(choice: Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>): boolean {
    const owned = readChoice(choice, this.#context());
    const override = this.#delete(owned);
    if (override === undefined) return false;
    this.#onOwners();
    publish('remove', override);
    return !isOver(override);
  }

  replace(given: readonly OverrideOptions[]): void {
    if (!Array.isArray(given)) {
      const rule = 'overrides must be an array of overrides';
      throw new ConfigError('OPTION_INVALID', 'overrides', undefined, `replace: ${rule}, got ${show(given)}`);
    }
    if (given.length > MAX_OVERRIDES) throw tooMany(given.length);
    const context = this.#context();
    const overrides = given.map((each) => readOverride(each, context));
    const before = this.list();
    const tiers = new Map<string, OwnedOverrides>();
    for (const override of overrides) this.#add(tiers, override);
    this.#tiers = tiers;
    this.#onOwners();
    if (!channels.override.hasSubscribers) return;
    for (const override of before) if (this.#find(override) === undefined) publish('remove', override);
    const old = new Set(before.map(textOf));
    for (const override of this.list()) if (!old.has(textOf(override))) publish('set', override);
  }

  change({ set, remove }: OverrideChanges): void {
    const context = this.#context();
    const overrides = set.map((each) => readOverride(each, context));
    const gone = remove.map((each) => readChoice(each, context));
    const fresh = overrides.filter((each) => this.#find(each) === undefined).length;
    const leaving = gone.filter((each) => this.#find(each) !== undefined).length;
    const size = this.#size() + fresh - leaving;
    if (size > MAX_OVERRIDES) throw tooMany(size);
    for (const owned of gone) {
      const override = this.#delete(owned);
      if (override !== undefined) publish('remove', override);
    }
    for (const override of overrides) {
      const known = this.#find(override);
      if (known !== undefined && textOf(known) === textOf(override)) continue;
      this.#add(this.#tiers, override);
      publish('set', override);
    }
    this.#onOwners();
  }

  list(): readonly Override[] {
    return [...this.#tiers.values()].flatMap((overrides) => overrides.list().filter((each) => !isOver(each)));
  }

  #size(): number {
    let size = 0;
    for (const overrides of this.#tiers.values()) size += overrides.size;
    return size;
  }

  #find(owned: Owned): Override | undefined {
    return this.#tiers.get(owned.tier)?.find(owned);
  }

  #delete(owned: Owned): Override | undefined {
    const override = this.#find(owned);
    const overrides = this.#tiers.get(owned.tier);
    if (override === undefined || overrides === undefined) return undefined;
    overrides.delete(owned);
    if (overrides.size === 0) this.#tiers.delete(owned.tier);
    return override;
  }

  #add(tiers: Map<string, OwnedOverrides>, override: Override): void {
    const overrides = tiers.get(override.tier) ?? new OwnedOverrides();
    tiers.set(override.tier, overrides);
    overrides.add(override);
  }

  /** Usually a day after the end, because a clock that is ahead may be set back. A full table makes room immediately. */
  #forgetEnded(): void {
    const before = this.#size() < MAX_OVERRIDES ? Date.now() - DAY_MS : Date.now();
    for (const [tier, overrides] of this.#tiers) {
      for (const each of overrides.list()) if (each.until !== undefined && each.until < before) overrides.delete(each);
      if (overrides.size === 0) this.#tiers.delete(tier);
    }
  }
}

function textOf({ tier, digest, partition, limit, until, reason, by }: Override): string {
  return JSON.stringify([tier, digest, partition, limit, until, reason, by]);
}

function tooMany(count: number): ConfigError {
  const rule = `overrides must be at most ${MAX_OVERRIDES}: for more, make the limit a function of the subject`;
  return new ConfigError('OPTION_INVALID', 'overrides', count, `override: ${rule}, got ${count}`);
}

function publish(operation: 'set' | 'remove', override: Override): void {
  if (channels.override.hasSubscribers) channels.override.publish({ operation, ...override });
}

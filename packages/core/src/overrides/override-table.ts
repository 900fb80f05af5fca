import { channels } from '../events/channels.js';
import { ConfigError } from '../model/errors.js';
import type { Override, OverrideChanges, OverrideOptions, Overrides } from '../model/override.js';
import { show } from '../options/option-reader.js';
import { ownerText } from '../limiter/claims/store-keys.js';
import type { TierOverrides } from './marked-keys.js';
import { OverrideEntry } from './override-entry.js';
import { readChoice, readOverride, type OverrideContext, type Owned } from './read-override.js';

const MAX_OVERRIDES = 10_000;
const DAY_MS = 8.64e7;
/** The keys of all clients are made again when marks go: with 10 000 overrides that end together not once for each. */
const MARKS_GO_EVERY_MS = 1_000;

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
  #tiers = new Map<string, TierOverrides>();
  /** When marks of ended overrides have gone, by the monotonic clock. */
  #marksWentAt = -Infinity;

  constructor({ context, onOwners }: TableContext) {
    this.#context = context;
    this.#onOwners = onOwners;
  }

  /** True if all are over. */
  get isEmpty(): boolean {
    return [...this.#tiers.keys()].every((tier) => this.overridesOf(tier) === undefined);
  }

  /** Those of the tiers of a name. Undefined if all are over. */
  overridesOf(tier: string): TierOverrides | undefined {
    const overrides = this.#tiers.get(tier);
    if (overrides === undefined) return undefined;
    for (const { isOver } of overrides.values()) if (!isOver) return overrides;
    return undefined;
  }

  /** A key still has the mark of an override that is over. The override stays known: it does not come back. */
  onEnded(): void {
    const now = performance.now();
    if (now - this.#marksWentAt < MARKS_GO_EVERY_MS) return;
    this.#marksWentAt = now;
    this.#onOwners();
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
    const entry = this.#delete(owned);
    if (entry === undefined) return false;
    this.#onOwners();
    publish('remove', entry.override);
    return !entry.isOver;
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
    const tiers = new Map<string, TierOverrides>();
    // An entry that stays has heard the clock of its store.
    for (const override of overrides) this.#add(tiers, override, this.#find(override));
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
      const entry = this.#delete(owned);
      if (entry !== undefined) publish('remove', entry.override);
    }
    for (const override of overrides) {
      const known = this.#find(override);
      if (known !== undefined && textOf(known.override) === textOf(override)) continue;
      this.#add(this.#tiers, override);
      publish('set', override);
    }
    this.#onOwners();
  }

  list(): readonly Override[] {
    const now = Date.now();
    const isListed = ({ isOver, override: { until = Infinity } }: OverrideEntry) => !isOver && until > now;
    return this.#entries()
      .filter(isListed)
      .map(({ override }) => override);
  }

  #entries(): OverrideEntry[] {
    return [...this.#tiers.values()].flatMap((overrides) => [...overrides.values()]);
  }

  #size(): number {
    let size = 0;
    for (const overrides of this.#tiers.values()) size += overrides.size;
    return size;
  }

  #find(owned: Owned): OverrideEntry | undefined {
    return this.#tiers.get(owned.tier)?.get(ownerOf(owned));
  }

  #delete(owned: Owned): OverrideEntry | undefined {
    const entry = this.#find(owned);
    const overrides = this.#tiers.get(owned.tier);
    if (entry === undefined || overrides === undefined) return undefined;
    overrides.delete(ownerOf(owned));
    if (overrides.size === 0) this.#tiers.delete(owned.tier);
    return entry;
  }

  #add(tiers: Map<string, TierOverrides>, override: Override, known?: OverrideEntry): void {
    const overrides: TierOverrides = tiers.get(override.tier) ?? new Map();
    tiers.set(override.tier, overrides);
    const isKept = known !== undefined && textOf(known.override) === textOf(override);
    overrides.set(ownerOf(override), isKept ? known : new OverrideEntry(override));
  }

  /** Makes room. The clock of a store may be behind that of this process. */
  #forgetEnded(): void {
    if (this.#size() < MAX_OVERRIDES) return;
    const before = Date.now() - DAY_MS;
    for (const overrides of this.#tiers.values()) {
      for (const { isOver, override } of overrides.values()) {
        if (isOver || (override.until ?? Infinity) < before) overrides.delete(ownerOf(override));
      }
    }
  }
}

/** Whose override it is, within a tier. */
function ownerOf({ digest, partition }: Owned): string {
  return ownerText(digest, partition);
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

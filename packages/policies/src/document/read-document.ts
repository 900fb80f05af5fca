// document/ reads and checks the text of a policies file, with file, line and column of each mistake. A YAML or JSON
// text enters, and checked tiers leave. It imports overrides.
import { ConfigError, createLimiter, type Tier } from '@sluice/core';
import type { OverrideOptions } from '../overrides/index.js';
import { OptionReader } from '@sluice/http/adapter';
import { doubtsOf } from './cross-checks.js';
import type { DocumentContext } from './document-context.js';
import { placed, placedError } from './placed.js';
import { readExtensions, withBroughtKeys } from './read-extensions.js';
import { readOverrides } from './read-overrides.js';
import { readRoutes } from './read-routes.js';
import { readTier, type TierEntry } from './read-tier.js';
import type { Route } from './routes.js';
import { SourceText, type Path } from './source-text.js';

const OWNER = 'policies';
const VERSION = 1;

/** What a file says, checked. */
export interface PolicyDocument<S> {
  readonly source: SourceText;
  /** The tiers of each limiter, in the order of the file. */
  readonly limiters: ReadonlyMap<string, readonly Tier<S>[]>;
  /** Where limiters stand, of those that say it. Tools read it; it never decides. */
  readonly routes: ReadonlyMap<string, readonly Route[]>;
  /** The tiers as the file has them, by their names. */
  readonly entries: ReadonlyMap<string, TierEntry>;
  /** Limits of single identities. */
  readonly overrides: readonly OverrideOptions[];
  /** What is allowed and likely a mistake: one sentence each, with its place. */
  readonly doubts: readonly string[];
  /** Put in force what extensions have read. */
  readonly extensions: readonly (() => void)[];
}

/**
 * Reads a file of policies.
 *
 * @param name of the file, for messages
 * @throws ConfigError that begins with file, line and column
 */
export function readDocument<S>(name: string, text: string, context: DocumentContext<S>): PolicyDocument<S> {
  const source = new SourceText(name, text);
  const { value } = source;
  if (!isRecord(value)) throw source.fail([], `${OWNER}: the file must be a map with version and limiters`);
  const reader = placed(
    source,
    [],
    () => new OptionReader(OWNER, value, ['version', 'limiters', 'overrides', 'extensions']),
  );
  placed(source, [], () => checkVersion(reader));
  const limiters = new Map<string, readonly Tier<S>[]>();
  const routes = new Map<string, readonly Route[]>();
  const entries = new Map<string, TierEntry>();
  const given = reader.value('limiters');
  if (!isRecord(given) || Object.keys(given).length === 0) {
    throw source.fail(['limiters'], `${OWNER}: limiters must be a map from names to limiters`);
  }
  const parts = reader.value('extensions');
  const keyed = { ...context, keys: withBroughtKeys(source, { limiters: given, parts }, context) };
  for (const limiter of Object.keys(given)) {
    const path = ['limiters', limiter];
    const options = optionsOf(source, path, given[limiter]);
    const own = entriesOf(source, path, options.value('tiers'));
    for (const entry of own) {
      const taken = entries.get(entry.name);
      // A budget has one definition, so that a change of it is one change.
      if (taken) throw duplicate(entry, taken);
      entries.set(entry.name, entry);
    }
    const tiers = own.map((entry) => readTier(entry, keyed));
    checkTogether(tiers, own);
    limiters.set(limiter, tiers);
    const ways = placed(source, path, () => readRoutes(ownerOf(path), options));
    if (ways !== undefined) routes.set(limiter, ways);
  }
  const overrides = readOverrides(source, reader.value('overrides'), [...limiters.values()]);
  const { features } = context;
  const extensions = readExtensions(source, parts, { entries, features });
  const doubts = doubtsOf([...limiters.values()], entries);
  return { source, overrides, limiters, routes, entries, doubts, extensions };
}

function checkVersion(reader: OptionReader): void {
  reader.one('version', { oneOf: [VERSION], words: `${VERSION}, the version of this format`, required: true });
}

/** @throws ConfigError for what is no map with tiers, and for another option */
function optionsOf(source: SourceText, path: Path, given: unknown): OptionReader {
  const owner = ownerOf(path);
  if (!isRecord(given)) throw source.fail(path, `${owner} must be a map with tiers`);
  return placed(source, path, () => new OptionReader(owner, given, ['tiers', 'routes']));
}

/** The entries of a limiter. @throws ConfigError for what is no list of tiers with names */
function entriesOf(source: SourceText, path: Path, tiers: unknown): readonly TierEntry[] {
  const owner = ownerOf(path);
  if (!Array.isArray(tiers) || tiers.length === 0)
    throw source.fail([...path, 'tiers'], `${owner}: tiers must be a list`);
  return tiers.map((tier: unknown, index): TierEntry => {
    const at = [...path, 'tiers', index];
    if (!isRecord(tier)) throw source.fail(at, `${owner}: a tier must be a map such as { name, key, limit, window }`);
    const { name } = tier;
    if (typeof name === 'string') return { source, path: at, name, given: tier };
    throw source.fail([...at, 'name'], `${owner}: every tier must have a name, as text`, {
      code: 'TIER_NAME_REQUIRED',
    });
  });
}

function ownerOf(path: Path): string {
  return `limiter "${path.at(-1)}"`;
}

/** Makes the limiter once, because it knows all rules. @throws ConfigError with the place of the option */
function checkTogether<S>(tiers: readonly Tier<S>[], entries: readonly TierEntry[]): void {
  try {
    void createLimiter<S>({ tiers }).close();
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw placedIn(entries, cause);
  }
}

/** The error of a limiter with the place of the tier whose option it is. */
export function placedIn(entries: readonly TierEntry[], cause: ConfigError): ConfigError {
  const found = entries.find(({ name }) => name === cause.tier);
  if (found !== undefined) return placedError(found.source, found.path, cause);
  const [{ source, path }] = entries as readonly [TierEntry];
  return source.fail(path.slice(0, -1), cause.message, { code: cause.code, cause });
}

function duplicate(entry: TierEntry, taken: TierEntry): ConfigError {
  const { source, path, name } = entry;
  const rule = `name must be unique in a file, and is also at ${taken.source.place([...taken.path, 'name'])}: rename one`;
  return source.fail([...path, 'name'], `tier "${name}": ${rule}`, { code: 'TIER_NAME_TAKEN' });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

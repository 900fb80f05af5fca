import type { KeyFunction } from '@sluice/core';
import { show } from '@sluice/http/adapter';
import type { DocumentContext, Named } from './document-context.js';
import { keyNames, keyOf } from './key-names.js';
import { placed } from './placed.js';
import { extensionsIn } from './policy-features.js';
import type { TierEntry } from './read-tier.js';
import type { Path, SourceText } from './source-text.js';

interface ExtendedFile {
  readonly entries: ReadonlyMap<string, TierEntry>;
  readonly features: DocumentContext<never>['features'] | undefined;
}

/**
 * What extensions read of a file: for each of them what puts it in force. Parts of others are left unread, because each
 * program brings only its own.
 *
 * @throws ConfigError with the place
 */
export function readExtensions(
  source: SourceText,
  given: unknown,
  { entries, features = [] }: ExtendedFile,
): readonly (() => void)[] {
  if (given !== undefined && !isRecord(given)) {
    throw source.fail(['extensions'], 'policies: extensions must be a map from names of programs to what they read');
  }
  const extensions = extensionsIn(features);
  if (extensions.length === 0) return [];
  const tiers = new Map(
    [...entries.values()].map(({ name, path, given: own }) => [name, { name, limiter: String(path[1]), given: own }]),
  );
  return extensions.map((each) => {
    const base = ['extensions', each.extension];
    return each.read({
      value: given?.[each.extension],
      tiers,
      check: (path, read) => placed(source, [...base, ...path], read),
      fail: (path, message) => source.fail([...base, ...path], message),
    });
  });
}

/**
 * The key functions of the application, and those that extensions bring for other names in a file.
 *
 * @throws ConfigError with the place of a name that an extension knows to be no key, and what to write
 */
export function withBroughtKeys<S>(
  source: SourceText,
  { limiters, parts }: { readonly limiters: unknown; readonly parts: unknown },
  { keys, features = [] }: DocumentContext<S>,
): Named<KeyFunction<S>> {
  const extensions = extensionsIn(features);
  const brought = new Map<string, KeyFunction<S>>();
  for (const { name, path, tier } of extensions.length === 0 ? [] : namesIn(limiters)) {
    if (keyOf(name, keys) !== undefined || brought.has(name)) continue;
    for (const each of extensions) {
      const part = (Object(parts) as Named<unknown>)[each.extension];
      const key = each.keyOf?.(name, part);
      if (key !== undefined) brought.set(name, key as KeyFunction<S>);
      else if (each.keyRemedy !== undefined) {
        const rule = `must be one of ${keyNames(keys).join(', ')}: ${each.keyRemedy(name, part)}`;
        throw source.fail(path, `tier "${tier}": ${path.at(-1)} ${rule}, got ${show(name)}`, { code: 'KEY_INVALID' });
      }
    }
  }
  return { ...keys, ...Object.fromEntries(brought) };
}

interface NamedKey {
  readonly name: string;
  readonly path: Path;
  /** Its name. */
  readonly tier: string;
}

/** The texts of `key`, and of `by` of other options, of which nothing is checked yet. */
function namesIn(limiters: unknown): readonly NamedKey[] {
  return Object.entries(Object(limiters) as Named<unknown>).flatMap(([limiter, given]) => {
    const { tiers } = Object(given) as { readonly tiers?: unknown };
    if (!Array.isArray(tiers)) return [];
    return tiers.flatMap((tier: unknown, index) => namesOf(tier, ['limiters', limiter, 'tiers', index]));
  });
}

function namesOf(given: unknown, path: Path): readonly NamedKey[] {
  const { name: tier, ...options } = Object(given) as Named<unknown>;
  return Object.entries(options).flatMap(([option, value]) => {
    const text = option === 'key' ? value : (Object(value) as { readonly by?: unknown }).by;
    if (typeof text !== 'string' || text === '') return [];
    const at = [...path, option];
    return [{ name: text, tier: String(tier), path: option === 'key' ? at : [...at, 'by'] }];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

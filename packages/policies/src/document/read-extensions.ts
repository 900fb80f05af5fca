import type { KeyFunction } from '@sluice/core';
import type { DocumentContext, Named } from './document-context.js';
import { keyOf } from './key-names.js';
import { placed } from './placed.js';
import { extensionsIn } from './policy-features.js';
import type { TierEntry } from './read-tier.js';
import type { SourceText } from './source-text.js';

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

/** The key functions of the application, and those that extensions bring for other names in a file. */
export function withBroughtKeys<S>(
  limiters: unknown,
  { keys, features = [] }: DocumentContext<S>,
): Named<KeyFunction<S>> {
  const extensions = extensionsIn(features);
  if (extensions.length === 0) return keys;
  const brought = namesIn(limiters).flatMap((name) => {
    if (keyOf(name, keys) !== undefined) return [];
    const found = extensions.map((each) => each.keyOf?.(name)).find((key) => key !== undefined);
    return found === undefined ? [] : [[name, found as KeyFunction<S>] as const];
  });
  return { ...keys, ...Object.fromEntries(brought) };
}

/** The texts of `key`, and of `by` of other options, of which nothing is checked yet. */
function namesIn(limiters: unknown): readonly string[] {
  const tiers = Object.values(Object(limiters) as object).flatMap(
    (limiter: unknown) => (Object(limiter) as { readonly tiers?: unknown }).tiers ?? [],
  );
  const names = tiers.flatMap((tier: unknown) => {
    const { key, ...others } = Object(tier) as Readonly<Record<string, unknown>>;
    return [key, ...Object.values(others).map((value) => (Object(value) as { readonly by?: unknown }).by)];
  });
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The usage of an owner and a tier, by its key. */
export interface UsageOwner {
  readonly tier: string;
  /** The digest of the partition. It is undefined for a limiter without a partition. */
  readonly partition: string | undefined;
  readonly digest: string;
  /** What all exports of this usage have in common. */
  readonly text: string;
}

const OWNER = /^[^{}]*\{(?<tag>[\w-]{22})\}:(?:(?<inner>[\w-]{22}):)?(?<tier>.+)$/;
/** A name that begins like the digest of an identity in a partition: keys would be those of another owner. */
const AMBIGUOUS = /^[\w-]{22}:/;

/**
 * Where the usage of a count lies: under its owner and its tier, whatever its shape is, in its slot of a Cluster. `usage.lua` finds
 * the same.
 *
 * @param key of the count, which ends in a colon and a shape
 */
export function usageKey(key: string): string {
  if (!key.includes('{')) return `{${key}}:used`;
  const colon = key.lastIndexOf(':');
  return `${colon > key.lastIndexOf('}') ? key.slice(0, colon) : key}:used`;
}

/** The set of the usage that has open hours, under the prefix of a key. `usage.lua` finds the same. */
export function openKey(key: string): string {
  return `${key.slice(0, key.indexOf('{'))}{~usage}:open`;
}

/** Where version 0.2.0 counted, whose usage is read until a store has none left. */
export function earlierUsageKey(key: string): string {
  return key.includes('{') ? `${key}:usage` : `{${key}}:usage`;
}

/** Whose usage a key has. Undefined for a key that is no usage. */
export function usageOwner(key: string): UsageOwner | undefined {
  const text = key.replace(/:(?:used|usage)$/, '');
  const { tag, inner, tier } = OWNER.exec(isEarlier(key) ? text.replace(/:[^:]*$/, '') : text)?.groups ?? {};
  if (text === key || tag === undefined || tier === undefined) return undefined;
  return { tier, partition: inner === undefined ? undefined : tag, digest: inner ?? tag, text };
}

function isEarlier(key: string): boolean {
  return key.endsWith(':usage');
}

/** Whether keys of a tier do not say whose they are. */
export function isAmbiguousName(tier: string): boolean {
  return AMBIGUOUS.test(tier);
}

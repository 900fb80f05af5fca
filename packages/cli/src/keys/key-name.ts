/** What the name of a key of a limiter says. */
export interface KeyName {
  readonly prefix: string;
  readonly tier: string;
  /** Two letters of the algorithm, and three characters that stand for what a state depends on. */
  readonly shape: string;
  /** A list of recorded strings, beside the key of the state. */
  readonly isRecord: boolean;
  /** Of the identity. */
  readonly digest: string;
  /** The key belongs to a partition, whose digest is its hash tag. */
  readonly isPartitioned: boolean;
}

const DIGEST = '[\\w-]{22}';
const STATE = new RegExp(`^:\\{(${DIGEST})\\}(?::(${DIGEST}))?:(.+):([a-z]{2}[\\w-]{3})$`);
/** Of a test of the connection, and of a dashboard's fleet, which expire soon; and lists of addresses, which stay. */
const TOOL = /^:\{[^{}]+\}:(?:probe|list|list-log)$|^:\{~fleet\}:/;
/** `notes` would also be a shape. */
const RECORD = /:notes$/;

/** Undefined for a key that no limiter has made; `tool` for one that is no state. */
export function parseKey(key: string, prefixes: readonly string[]): KeyName | 'tool' | undefined {
  const prefix = prefixes.find((each) => key.startsWith(`${each}:`));
  if (prefix === undefined) return undefined;
  const rest = key.slice(prefix.length);
  if (TOOL.test(rest)) return 'tool';
  const [, tag, inner, tier, shape] = STATE.exec(rest.replace(RECORD, '')) ?? [];
  if (tag === undefined || tier === undefined || shape === undefined) return undefined;
  const isPartitioned = inner !== undefined;
  return { prefix, tier, shape, isRecord: RECORD.test(rest), digest: inner ?? tag, isPartitioned };
}

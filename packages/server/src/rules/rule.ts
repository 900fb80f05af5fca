// rules/ says which tier counts a descriptor of Envoy, and by which of its entries. The part `extensions.server` of a
// file of policies enters, and rules leave. It imports no other room.
import type { Descriptor, DescriptorEntry } from './descriptor.js';
import type { Facts } from './facts.js';

/** A descriptor that a rule takes becomes a request to one tier, or to none. */
export interface Rule {
  /** The limiter that the domain of a request names. Undefined for a rule of all of them. */
  readonly limiter: string | undefined;
  /** Undefined for a descriptor that has no limit. */
  readonly tier: string | undefined;
  /** What its entries must be, in any order. */
  readonly from: readonly Wanted[];
  /** What a request of its entries is about. */
  readonly factsOf: (values: RuleValues) => Facts;
}

/** An entry that a rule asks for. */
export interface Wanted {
  readonly key: string;
  /** Undefined for any value. */
  readonly value: string | undefined;
}

/** The values of the entries of a descriptor, in the order of its rule. */
export interface RuleValues {
  readonly values: readonly string[];
  readonly entries: readonly DescriptorEntry[];
}

interface RulesFacts {
  readonly limiters?: Iterable<string>;
  readonly receiptHeader?: string | undefined;
}

/** The rules of a file, the strictest first: a rule with more fixed values is asked before others. */
export class Rules {
  readonly #rules: readonly Rule[];
  readonly #byKeys = new Map<string, readonly Rule[]>();
  /** The header in which the service behind Envoy gets the receipt of its request. Undefined for none. */
  readonly receiptHeader: string | undefined;

  /** The limiters of the file, by name. */
  readonly limiters: ReadonlySet<string>;

  constructor(rules: readonly Rule[], { limiters = [], receiptHeader }: RulesFacts = {}) {
    this.#rules = rules.toSorted((one, other) => fixedIn(other) - fixedIn(one));
    this.limiters = new Set(limiters);
    this.receiptHeader = receiptHeader;
    for (const rule of this.#rules) {
      const keys = keysOf(rule.from);
      this.#byKeys.set(keys, [...(this.#byKeys.get(keys) ?? []), rule]);
    }
  }

  get size(): number {
    return this.#rules.length;
  }

  /** The rule that takes a descriptor. Undefined where none does. */
  ruleFor(limiter: string, { entries }: Pick<Descriptor, 'entries'>): Matched | undefined {
    const candidates = this.#byKeys.get(keysOf(entries)) ?? [];
    for (const rule of candidates) {
      if (rule.limiter !== undefined && rule.limiter !== limiter) continue;
      const values = valuesFor(rule.from, entries);
      if (values !== undefined) return { rule, values };
    }
    return undefined;
  }
}

export interface Matched {
  readonly rule: Rule;
  readonly values: readonly string[];
}

export const NO_RULES = new Rules([]);

function fixedIn({ from }: Rule): number {
  return from.filter(({ value }) => value !== undefined).length;
}

function keysOf(parts: readonly { readonly key: string }[]): string {
  if (parts.length === 1) return parts[0]!.key;
  return parts
    .map(({ key }) => `${key.length}:${key}`)
    .toSorted()
    .join('');
}

/** The value of each wanted entry. Undefined where an entry has another value. */
function valuesFor(from: readonly Wanted[], entries: readonly DescriptorEntry[]): readonly string[] | undefined {
  if (from.length === 1) {
    const [{ value: wanted }] = from as readonly [Wanted];
    const { value } = entries[0]!;
    return wanted === undefined || wanted === value ? [value] : undefined;
  }
  const left = [...entries];
  const values = new Map<Wanted, string>();
  // Fixed values first, because an entry of any value could take theirs.
  for (const wanted of from.toSorted(
    (one, other) => Number(other.value !== undefined) - Number(one.value !== undefined),
  )) {
    const at = left.findIndex(({ key, value }) => key === wanted.key && (wanted.value ?? value) === value);
    if (at < 0) return undefined;
    values.set(wanted, left[at]!.value);
    left.splice(at, 1);
  }
  return from.map((wanted) => values.get(wanted)!);
}

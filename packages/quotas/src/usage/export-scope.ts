import { hash } from 'node:crypto';
import { isCounted, limitersOf, type OptionReader, type Store } from '@sluice/core/internal';

const SCOPE_LENGTH = 22;

/** Which tiers are exported: those of the option `tiers`, or all that have usage in the store. */
export class ExportScope {
  /** The same in each process that exports these tiers. */
  readonly text: string;
  readonly #store: Store;
  readonly #names: ReadonlySet<string> | undefined;

  /** @throws ConfigError for a name that no tier with usage has */
  constructor(store: Store, reader: OptionReader) {
    const names = reader.value('tiers');
    this.#store = store;
    if (names !== undefined && !areKnown(names, store)) {
      throw reader.fail('OPTION_INVALID', 'tiers', 'must be names of tiers with usage, of limiters that exist');
    }
    this.#names = names === undefined ? undefined : new Set(names as readonly string[]);
    const text = [...(this.#names ?? [])].toSorted().join(' ');
    this.text = this.#names ? hash('sha256', text, 'base64url').slice(0, SCOPE_LENGTH) : 'all';
  }

  /** Of all limiters that the store has now: a tier that counted before may have left them. */
  prefixes(): readonly string[] {
    return [...new Set(limitersOf(this.#store).map(({ prefix }) => prefix))];
  }

  has(tier: string): boolean {
    return this.#names?.has(tier) ?? true;
  }
}

function areKnown(names: unknown, store: Store): boolean {
  const known = limitersOf(store).flatMap(({ tiers }) => tiers.filter(({ policy }) => isCounted(policy)));
  return Array.isArray(names) && names.length > 0 && names.every((name) => known.some((tier) => tier.name === name));
}

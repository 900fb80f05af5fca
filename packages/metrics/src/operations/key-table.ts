import type { KeyKind } from '@sluice/core/internal';

/** What the name of a key says. */
export interface KeyName {
  readonly kind: KeyKind;
  readonly prefix: string;
  readonly tier: string | undefined;
  /** Two letters of the algorithm, and three characters that stand for what a state depends on. */
  readonly shape: string | undefined;
  /** Of the identity. */
  readonly digest: string | undefined;
  /** The key belongs to a partition, whose digest is its hash tag. */
  readonly isPartitioned: boolean;
  /** Of a list, or of policies. */
  readonly name: string | undefined;
}

const DIGEST = String.raw`[\w-]{22}`;
const PARTS: Readonly<Record<string, string>> = {
  owner: `\\{(?<tag>${DIGEST})\\}(?::(?<inner>${DIGEST}))?`,
  tier: '(?<tier>.+)',
  name: String.raw`(?<name>[\w.-]{1,64})`,
  process: String.raw`[\w-]{8}`,
  tag: '[^{}]+',
};

interface Row {
  readonly kind: KeyKind;
  readonly pattern: RegExp;
}

/** Kinds of keys under prefixes, which finds the kind of a key. */
export class KeyTable {
  /** The longest first, because one may begin with another one and a colon. */
  readonly #prefixes: readonly string[];
  readonly #rows: readonly Row[];

  /** @param prefixes of limiters, with what the client of Redis adds to every key */
  constructor(kinds: readonly KeyKind[], prefixes: readonly string[]) {
    this.#prefixes = prefixes.toSorted((one, other) => other.length - one.length);
    const codes = kinds.flatMap(({ code }) => code ?? []).join('|');
    this.#rows = kinds.map((kind) => ({ kind, pattern: regExpOf(kind, codes) }));
  }

  /** Undefined for a key that Sluice has not written. */
  find(key: string): KeyName | undefined {
    return this.#namesOf(key).next().value;
  }

  /** One name, for a specification that no two kinds have a key in common. */
  findAll(key: string): readonly KeyName[] {
    return [...this.#namesOf(key)];
  }

  *#namesOf(key: string): Generator<KeyName, undefined> {
    for (const prefix of this.#prefixes) {
      if (!key.startsWith(`${prefix}:`)) continue;
      const rest = key.slice(prefix.length + 1);
      for (const row of this.#rows) {
        const name = nameOf(row, prefix, rest);
        if (name !== undefined) yield name;
      }
    }
  }
}

function regExpOf({ pattern, code }: KeyKind, codes: string): RegExp {
  const shapeOf = (letters: string) => String.raw`(?<shape>(?:${letters})[\w-]{3})`;
  const parts: typeof PARTS = { ...PARTS, shape: shapeOf(codes), state: shapeOf(code ?? codes) };
  const texts = pattern.replace(/[a-z]{2}<hash>/, '<state>').split(/(<\w+>)/);
  const part = (text: string) => parts[text.slice(1, -1)]!;
  const literal = (text: string) => text.replaceAll(/[^\w]/g, String.raw`\$&`);
  return new RegExp(`^${texts.map((text) => (text.startsWith('<') ? part(text) : literal(text))).join('')}$`);
}

function nameOf({ kind, pattern }: Row, prefix: string, rest: string): KeyName | undefined {
  const match = pattern.exec(rest);
  if (match === null) return undefined;
  const { tag, inner, tier, shape, name }: Partial<Record<string, string>> = match.groups ?? {};
  return { kind, prefix, tier, shape, digest: inner ?? tag, isPartitioned: inner !== undefined, name };
}

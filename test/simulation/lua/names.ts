import type { Expression } from 'luaparse';
import { globals } from './library.js';

/** What a script has from the beginning. The first of its locals. */
const GIVEN = ['redis', 'KEYS', 'ARGV'];
/** The numbers of the names that scripts have outside of their functions. */
const numbers = new Map(GIVEN.map((name, number) => [name, number]));

function numberOf(name: string): number {
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return number;
}

/** How many places `locals` has, for the scripts that are known. */
export function localsCount(): number {
  return numbers.size;
}

/** @param made the JavaScript of a name of the script */
export function placeOfLocal(made: string): number {
  return Number(made.slice('locals['.length, -1));
}

/** What a script has declared outside of its functions, before one of its statements. */
export interface Declared {
  /** The JavaScript of each name. */
  readonly names: ReadonlyMap<string, string>;
  /** Of these, functions that return one value at most. */
  readonly singles: ReadonlySet<string>;
}

export const NOTHING_DECLARED: Declared = {
  names: new Map(GIVEN.map((name, number) => [name, `locals[${number}]`])),
  singles: new Set(),
};

/** The JavaScript names of what a script declares. */
export class Names {
  /** Of the script, then of each block. */
  readonly #scopes: Map<string, string>[];
  /** Functions that return one value at most, so that a call of them needs no array. */
  #singles: Set<string>;
  #made = 0;
  #temporaries: string[] = [];
  /** Locals of a block of the script, which are declared outside of its steps. */
  #ofBlock: { readonly depth: number; readonly names: string[] } | undefined;

  constructor({ names, singles }: Declared) {
    this.#scopes = [new Map(names)];
    this.#singles = new Set(singles);
  }

  /** What the statements of the script have declared so far. */
  declared(): Declared {
    const names = this.#scopes[0]!;
    const own = [...names.values()].filter((made) => this.#singles.has(made));
    return { names, singles: new Set(own) };
  }

  /** Begins a statement of the script, whose text must be the same in each script. */
  restart(): void {
    this.#made = 0;
    this.#singles = new Set(this.declared().singles);
  }

  /** Writes what has names of its own. */
  within<T>(write: () => T): T {
    this.#scopes.push(new Map());
    const text = write();
    this.#scopes.pop();
    return text;
  }

  declare(name: string, { isSingle = false } = {}): string {
    const [script] = this.#scopes;
    const made = this.#isOutermost ? `locals[${numberOf(script!.has(name) ? `${name}'` : name)}]` : this.fresh(name);
    this.#scopes.at(-1)!.set(name, made);
    if (isSingle) this.#singles.add(made);
    return made;
  }

  /** A name that the script does not have. */
  fresh(name: string): string {
    this.#made += 1;
    return `${name}_${this.#made}`;
  }

  /** A name of a value that `and` or `or` needs twice. Its function declares it. */
  temporary(name: string): string {
    const made = this.fresh(name);
    this.#temporaries.push(made);
    return made;
  }

  /** Declares the temporary names of what is written. */
  withTemporaries(write: () => string): string {
    const outer = this.#temporaries;
    this.#temporaries = [];
    const text = write();
    const own = this.#temporaries;
    this.#temporaries = outer;
    return own.length === 0 ? text : `let ${own.join(', ')};\n${text}`;
  }

  /** Writes a block of the script. @returns its text, and the locals that its own statements declare */
  block(write: () => string): { readonly text: string; readonly declared: readonly string[] } {
    return this.within(() => {
      const own = { depth: this.#scopes.length, names: [] };
      this.#ofBlock = own;
      const text = write();
      this.#ofBlock = undefined;
      return { text, declared: own.names };
    });
  }

  /**
   * Of locals that are declared. Those of the script are in an array, so that its statements can be compiled alone, and those
   * of its blocks are declared outside of the steps, so that functions which are made once can use them.
   */
  let(made: readonly string[]): string {
    if (this.#isOutermost) return '';
    if (this.#ofBlock?.depth !== this.#scopes.length) return `let ${made.join(', ')};`;
    this.#ofBlock.names.push(...made);
    return '';
  }

  /** Undefined for a global. */
  local(name: string): string | undefined {
    return this.#scopes.findLast((each) => each.has(name))?.get(name);
  }

  of(name: string): string {
    const local = this.local(name);
    if (local !== undefined) return local;
    if (!(name in globals)) throw new SyntaxError(`a script uses the global ${name}`);
    return `globals.${name}`;
  }

  isSingle(name: string): boolean {
    const local = this.local(name);
    return local !== undefined && this.#singles.has(local);
  }

  /** `math.floor`, unless the script has a local of that name. */
  libraryMember(node: Expression): string | undefined {
    if (node.type !== 'MemberExpression' || node.indexer !== '.' || node.base.type !== 'Identifier') return undefined;
    const { name: library } = node.base;
    const { name } = node.identifier;
    if (this.local(library) !== undefined && library !== 'redis') return undefined;
    return library === 'redis' || library in globals ? `${this.of(library)}.${name}` : undefined;
  }

  get #isOutermost(): boolean {
    return this.#scopes.length === 1;
  }
}

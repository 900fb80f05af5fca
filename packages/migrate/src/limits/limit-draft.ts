// limits/ translates a limit of another library, and notes each difference. Calls found in a source file enter, and
// drafts of tiers leave. It imports source/.
import { edited, type Edit } from '../source/edit.js';
import type { Origin } from '../source/source-file.js';
import type { SourceFile } from '../source/source-file.js';
import { networkHand } from './network-hand.js';
import { nameInProgram, type TierNames } from './tier-names.js';
import { bare, isIn, type Syntax } from '../source/syntax.js';

/** What behaves in another way afterwards. */
export interface Difference {
  readonly text: string;
  /** The page that says more. */
  readonly link: string;
}

/** What was not translated, and what to do by hand. */
export interface Unread {
  readonly line: number;
  readonly what: string;
  readonly hand: string;
}

/** An option of the other library as it is written. */
export interface GivenOption {
  readonly name: string;
  readonly value: Syntax;
  readonly property: Syntax;
}

export type GivenOptions = Readonly<Record<string, GivenOption | undefined>>;

/** The text of an option of ours. Undefined for none, and for an option that it refuses. */
export type Converter = (draft: LimitDraft, given: GivenOption, all: GivenOptions) => string | undefined;

/** What an option of a library becomes: text, a note or a refusal. The rows of all options are the table of a library. */
export interface Row {
  /** Options that are read together: of two names for one, the first that is given. Ours alone has those without any. */
  readonly options: readonly string[];
  /** Our option. */
  readonly becomes?: string;
  /** Its text, from theirs. */
  readonly as?: Converter;
  /** Its text where theirs is not given. */
  readonly otherwise?: string | undefined;
  /** What is said of an option that is given. */
  readonly note?: Difference;
  /** What to write in the place of an option without an equal. */
  readonly refused?: string;
  /** In the place of all these, for options that are several of ours together. */
  readonly read?: (draft: LimitDraft, given: GivenOptions) => void;
}

/** How functions of the other library are called, and how ours are. */
export interface Carrying {
  /** Parameters that ours get too. */
  readonly parameters: number;
  /** Our first parameter, from the name of theirs. @default the same */
  readonly first?: ((name: string) => string) | undefined;
  /** More edits in the function. */
  readonly edits?: readonly Edit[];
}

interface Output {
  readonly row: Row;
  readonly name: string;
  readonly text: string;
}

export interface DraftPlace {
  readonly file: SourceFile;
  /** Names of the library: text that has them cannot stay. */
  readonly theirs: readonly string[];
  readonly names: TierNames;
  /** What makes the limit. */
  readonly call: Syntax;
  /** Edits of the whole program, which carried text needs too. */
  readonly everywhere?: readonly Edit[];
}

/** A limit while it is translated. It is replaced as a whole, or left alone. */
export class LimitDraft {
  readonly file: SourceFile;
  readonly differences = new Set<Difference>();
  readonly unread: Unread[] = [];
  /** Names that the translated program imports: `module name`. */
  readonly imports = new Set<string>();
  /** Edits outside the options. */
  readonly edits: Edit[] = [];
  outputs: readonly Output[] = [];
  /** Names of the program whose values it changes, outside the call. */
  readonly changed: Syntax[] = [];
  /** Objects of other files with more of its options, which are translated there. */
  shared: readonly Origin[] = [];
  /** The options that were read. */
  given: GivenOptions = {};
  readonly #place: DraftPlace;
  readonly #everywhere: readonly Edit[];
  /** The row of the table that is read. */
  row: Row | undefined;

  constructor(place: DraftPlace) {
    this.file = place.file;
    this.#place = place;
    this.#everywhere = place.everywhere ?? [];
  }

  /** What makes the limit. */
  get call(): Syntax {
    return this.#place.call;
  }

  get line(): number {
    return this.file.lineOf(this.#place.call);
  }

  /** True for a part of what makes the limit. */
  holds({ start, end }: Syntax): boolean {
    const { call } = this.#place;
    return call.start <= start && end <= call.end;
  }

  /** True for a part of the statement of the program that makes the limit. */
  sharesStatement({ start, end }: Syntax): boolean {
    const [program] = this.file.nodesOf('Program');
    const statement = (program!.body as Syntax[]).find((each) => isIn(this.call, each));
    return statement !== undefined && statement.start <= start && end <= statement.end;
  }

  /** A name for the tier that no other limit has. */
  takeName(...candidates: readonly (string | undefined)[]): string {
    const { names, call } = this.#place;
    return names.take(...candidates, nameInProgram(this.file, call));
  }

  /** True if another limit of the run has this prefix in Redis. */
  sharesKeys(prefix: string): boolean {
    return this.#place.names.sharesKeys(prefix);
  }

  /** An option of Sluice, at the place of the row. */
  write(name: string, text: string): void {
    this.outputs = [...this.outputs, { row: this.row!, name, text }];
  }

  /** Options that are there only if something is: `...(redis ? { store: redisStore(redis) } : {})`. */
  writeIf(condition: string | undefined, options: readonly (readonly [string, string])[]): void {
    if (condition === undefined) for (const [name, text] of options) this.write(name, text);
    else this.write('...', `(${condition} ? { ${options.map(([name, text]) => `${name}: ${text}`).join(', ')} } : {})`);
  }

  /** Drops what does not belong to this place. */
  keepOutputs(isKept: (output: Output) => boolean): void {
    this.outputs = this.outputs.filter(isKept);
  }

  /** A name that the text needs. */
  use(module: string, ...names: readonly string[]): void {
    for (const name of names) this.imports.add(`${module} ${name}`);
  }

  differs(...differences: readonly Difference[]): void {
    for (const each of differences) this.differences.add(each);
  }

  refuse(node: Syntax, what: string, hand: string): undefined {
    this.unread.push({ line: this.file.lineOf(node), what, hand });
  }

  /** The text of an expression that means the same in Sluice. Undefined, and refused, where it needs the library. */
  carry(node: Syntax, edits: readonly Edit[] = []): string | undefined {
    const isLeft = (reference: Syntax) =>
      !edits.some((edit) => edit.start <= reference.start && reference.end <= edit.end);
    const leftOf = (name: string) => this.file.referencesIn(node, name).filter(isLeft);
    const theirs = this.#place.theirs.find((name) => leftOf(name).length > 0);
    if (theirs !== undefined) {
      const [first] = leftOf(theirs);
      const hand = theirs === 'ipKeyGenerator' ? networkHand(this.file, first!) : 'write it without that library';
      this.refuse(node, `it uses ${theirs}`, hand);
      return undefined;
    }
    return edited(this.file.text, this.#everywhere, node.start, node.end);
  }

  /** The text of a part of the program with edits. */
  editedText({ start, end }: Syntax, edits: readonly Edit[]): string {
    return edited(this.file.text, [...edits, ...this.#everywhere], start, end);
  }

  /** The text of a function that is called in another way in Sluice. Undefined, and refused, where that is not possible. */
  carryFunction(option: GivenOption, { parameters, first, edits = [] }: Carrying): string | undefined {
    const { name, value, property } = option;
    const found = this.file.functionOf(value);
    if (!found || found.fn.generator) {
      const what = `${name} is ${this.file.textOf(value)}, whose code is not in the files of this run`;
      this.refuse(value, what, `name its file too, or write ${name}: (request) => … here`);
      return undefined;
    }
    const { fn, file } = found;
    const extra = (fn.params as Syntax[]).slice(parameters);
    if (extra.some((parameter) => !isUnused(file, fn, parameter, edits))) {
      this.refuse(
        extra[0]!,
        `${name} reads its parameter ${parameters + 1}`,
        'ours gets the request alone: read it from there, and run this again',
      );
      return undefined;
    }
    if (fn !== value) {
      if (extra.length > 0 && this.file.isTypeScript) {
        this.refuse(value, `${name} has more parameters than Sluice passes`, 'remove those that it does not read');
        return undefined;
      }
      const called = this.carry(value);
      return first && fn.params.length > 0 ? `(${first('request')}) => ${called}(request)` : called;
    }
    const text = this.carry(fn, edits);
    if (text === undefined) return undefined;
    const [parameter] = fn.params as Syntax[];
    const own = [...edits, ...this.#everywhere];
    if (extra.length > 0) own.push(this.#withoutParameters(fn, parameters));
    if (first && parameter) {
      if (parameter.type !== 'Identifier') {
        this.refuse(parameter, `${name} takes its parameter apart`, 'name the parameter, and run this again');
        return undefined;
      }
      const hasParentheses = this.file.text.slice(fn.start, parameter.start).includes('(');
      const written = first(parameter.name);
      own.push({ start: parameter.start, end: parameter.end, text: hasParentheses ? written : `(${written})` });
    }
    const moved = edited(this.file.text, own, fn.start, fn.end);
    if (!property.method) return moved;
    return `${fn.async ? 'async ' : ''}function ${moved.replace(/^async\s+/, '')}`;
  }

  #withoutParameters(fn: Syntax, count: number): Edit {
    const parameters = fn.params as Syntax[];
    const start = count === 0 ? parameters[0]!.start : parameters[count - 1]!.end;
    return { start, end: parameters.at(-1)!.end, text: '' };
  }
}

/** True for a parameter that its function does not read, once these edits are made. */
export function isUnused(file: SourceFile, fn: Syntax, parameter: Syntax, edits: readonly Edit[] = []): boolean {
  const name = bare(parameter).name as string | undefined;
  const isLeft = ({ start, end }: Syntax) => !edits.some((edit) => edit.start <= start && end <= edit.end);
  return name !== undefined && !file.referencesIn(fn, name).some(isLeft);
}

// source/ parses JavaScript and TypeScript, and edits it. Texts of files enter, and syntax and edits leave. It imports
// no other room of migrate.
import { bare, childrenOf, isFunction, nameOf, type Syntax } from './syntax.js';

/** A comment of a program. */
export interface Comment {
  readonly type: 'CommentBlock' | 'CommentLine';
  /** Without its marks. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** What a name stands for, in the file that declares it. */
export interface Origin {
  readonly file: SourceFile;
  /** A value, a function or a class. */
  readonly node: Syntax;
}

/** What a file asks of the others of its run. */
export interface OtherFiles {
  /** What an imported name stands for, if a file of the run exports it. */
  originOf(file: SourceFile, name: string): Origin | undefined;
  /** The files that have a word. */
  pathsOf(word: string): string[];
  mentions(word: string): boolean;
}

interface Roles {
  readonly declarations: Syntax[];
  readonly references: Syntax[];
}

/** A program that was read, with an index of its names. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Comment[];
  /** The files that it can import from. */
  application: OtherFiles | undefined;
  /** All nodes, by type. */
  readonly #nodes = new Map<string, Syntax[]>();
  readonly #parents = new Map<Syntax, Syntax>();
  /** Identifiers that declare a name or refer to it: not the names of members. */
  readonly #names = new Map<string, Syntax[]>();
  /** Sorted once for each name, because a long program asks for the same name in each of its lines. */
  readonly #roles = new Map<string, Roles>();

  constructor(path: string, text: string, program: Syntax, comments: readonly Comment[] = []) {
    this.path = path;
    this.text = text;
    this.comments = comments;
    // Without recursion, because programs are as deep as their authors want.
    const waiting = [program];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      for (const child of childrenOf(node).toReversed()) {
        this.#parents.set(child, node);
        waiting.push(child);
      }
      push(this.#nodes, node.type, node);
      if (node.type === 'Identifier' && !this.#isMemberName(node)) push(this.#names, node.name, node);
    }
  }

  get isTypeScript(): boolean {
    return /\.[cm]?tsx?$/.test(this.path);
  }

  /** True for `auth.spec.ts` and `auth.e2e-spec.ts`. */
  get isTest(): boolean {
    return /[.-](e2e-)?(spec|test)\.[cm]?[jt]sx?$/.test(this.path);
  }

  /** Counted from 1. */
  lineOf({ start }: { readonly start: number }): number {
    return this.text.slice(0, start).split('\n').length;
  }

  textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.text.slice(start, end);
  }

  nodesOf(...types: readonly string[]): Syntax[] {
    return types.flatMap((type) => this.#nodes.get(type) ?? []).toSorted((a, b) => a.start - b.start);
  }

  parentOf(node: Syntax): Syntax | undefined {
    return this.#parents.get(node);
  }

  /** Where a name is declared. Scopes are not distinguished: a name that is declared twice is not followed. */
  declarationsOf(name: string): Syntax[] {
    return this.#rolesOf(name).declarations;
  }

  referencesOf(name: string): Syntax[] {
    return this.#rolesOf(name).references;
  }

  /** All names that the program refers to. */
  get names(): Iterable<string> {
    return this.#names.keys();
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** An expression with the types that it is asserted to have: `config.max as number`. */
  typedOf(node: Syntax): Syntax {
    const outer = this.parentOf(node);
    return outer && bare(outer) === bare(node) && outer.expression === node ? this.typedOf(outer) : node;
  }

  /** The references in a part of the program. */
  referencesIn(part: Syntax, name: string): Syntax[] {
    return this.referencesOf(name).filter(({ start, end }) => part.start <= start && end <= part.end);
  }

  /** What a name stands for: the value of a `const`, or the function, where it is declared once. */
  valueOf(node: Syntax): Syntax | undefined {
    if (node.type !== 'Identifier') return node;
    const [declaration, ...others] = this.declarationsOf(node.name);
    const owner = declaration && others.length === 0 ? this.parentOf(declaration) : undefined;
    if (owner?.type === 'FunctionDeclaration' && owner.id === declaration) return owner;
    if (owner?.type !== 'VariableDeclarator' || owner.id !== declaration || !owner.init) return undefined;
    return this.parentOf(owner)?.kind === 'const' ? bare(owner.init) : undefined;
  }

  /** What a name stands for in this file: a value, a function or a class, and also that of a `let`. */
  declared(name: Syntax): Syntax | undefined {
    const [declaration, ...others] = this.declarationsOf(name.name as string);
    const owner = declaration && others.length === 0 ? this.parentOf(declaration) : undefined;
    if (owner?.id !== declaration || !owner) return undefined;
    return /^(Function|Class)Declaration$/.test(owner.type) ? owner : owner.init ? bare(owner.init) : undefined;
  }

  /** What an expression stands for, here or in the file that it is imported from: `sendError`, `limits.strict`. */
  originOf(node: Syntax): Origin | undefined {
    const inner = bare(node);
    if (inner.type === 'MemberExpression') {
      const owner = this.originOf(inner.object as Syntax);
      const properties = (owner?.node.type === 'ObjectExpression' ? owner.node.properties : []) as Syntax[];
      const found = properties.find((each) => each.type === 'Property' && nameOf(each) === nameOf(inner));
      return found && { file: owner!.file, node: bare(found.value as Syntax) };
    }
    if (inner.type !== 'Identifier') return { file: this, node: inner };
    const known =
      this.valueOf(inner) ?? (this.declarationsOf(inner.name).length === 1 ? this.declared(inner) : undefined);
    return known ? { file: this, node: known } : this.application?.originOf(this, inner.name as string);
  }

  /** The function that an expression names. */
  functionOf(node: Syntax): { readonly file: SourceFile; readonly fn: Syntax } | undefined {
    const origin = this.originOf(node);
    return origin && isFunction(origin.node) ? { file: origin.file, fn: origin.node } : undefined;
  }

  #rolesOf(name: string): Roles {
    const known = this.#roles.get(name);
    if (known) return known;
    const nodes = this.#names.get(name) ?? [];
    const declarations = nodes.filter((node) => this.#isDeclaration(node));
    const roles = { declarations, references: nodes.filter((node) => !declarations.includes(node)) };
    this.#roles.set(name, roles);
    return roles;
  }

  #isMemberName(node: Syntax): boolean {
    const parent = this.#parents.get(node)!;
    switch (parent.type) {
      case 'MemberExpression':
        return parent.property === node && !parent.computed;
      case 'Property':
        // The key of a shorthand is its value too, which is indexed.
        return parent.key === node && !parent.computed;
      case 'MethodDefinition':
      case 'ClassProperty':
      case 'TSPropertySignature':
      case 'TSMethodSignature':
        return parent.key === node && !parent.computed;
      case 'ImportSpecifier':
        return parent.imported === node && parent.local !== node;
      case 'ExportSpecifier':
        return parent.exported === node && parent.local !== node;
      case 'LabeledStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return parent.label === node;
      default:
        return false;
    }
  }

  #isDeclaration(node: Syntax): boolean {
    let inner = node;
    for (let outer = this.#parents.get(inner); outer; inner = outer, outer = this.#parents.get(inner)) {
      if (/^Import\w*Specifier$/.test(outer.type)) return true;
      if (outer.type === 'TSImportEqualsDeclaration') return outer.id === inner;
      if (outer.type === 'VariableDeclarator') return outer.id === inner;
      if (outer.type === 'CatchClause') return outer.param === inner;
      if (/^Class|^TS(Enum|Module|Interface|TypeAlias)/.test(outer.type)) return outer.id === inner;
      if (/Function|^TSDeclareFunction|^TSParameterProperty$/.test(outer.type)) {
        return outer.id === inner || outer.parameter === inner || (outer.params as Syntax[])?.includes(inner);
      }
      const isPattern =
        (outer.type === 'Property' && outer.value === inner && this.#parents.get(outer)?.type === 'ObjectPattern') ||
        outer.type === 'ObjectPattern' ||
        outer.type === 'ArrayPattern' ||
        outer.type === 'RestElement' ||
        (outer.type === 'AssignmentPattern' && outer.left === inner);
      if (!isPattern) return false;
    }
    return false;
  }
}

function push<Key>(map: Map<Key, Syntax[]>, key: Key, node: Syntax): void {
  const known = map.get(key);
  if (known) known.push(node);
  else map.set(key, [node]);
}

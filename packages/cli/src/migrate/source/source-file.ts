import type { ParserPlugin } from '@babel/parser';
import { bare, childrenOf, isSyntax, type Syntax } from './syntax.js';

/** A program that was read, with an index of its names. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  /** All nodes, by type. */
  readonly #nodes = new Map<string, Syntax[]>();
  readonly #parents = new Map<Syntax, Syntax>();
  /** Identifiers that declare a name or refer to it: not the names of members. */
  readonly #names = new Map<string, Syntax[]>();

  constructor(path: string, text: string, program: Syntax) {
    this.path = path;
    this.text = text;
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
    return (this.#names.get(name) ?? []).filter((node) => this.#isDeclaration(node));
  }

  referencesOf(name: string): Syntax[] {
    return (this.#names.get(name) ?? []).filter((node) => !this.#isDeclaration(node));
  }

  has(name: string): boolean {
    return this.#names.has(name);
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

  #isMemberName(node: Syntax): boolean {
    const parent = this.#parents.get(node)!;
    switch (parent.type) {
      case 'MemberExpression':
        return parent.property === node && !parent.computed;
      case 'Property':
        // The key of a shorthand is its value too, which is indexed.
        return parent.key === node && !parent.computed;
      case 'MethodDefinition':
      case 'PropertyDefinition':
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

/** Why a program cannot be read, and where. */
export class ParseProblem {
  readonly line: number;
  readonly message: string;

  constructor(line: number, message: string) {
    this.line = line;
    this.message = message;
  }
}

/** Reads a program. Its name tells whether it is TypeScript. */
export async function parseSource(path: string, text: string): Promise<SourceFile | ParseProblem> {
  // The parser takes longer to load than most commands to run.
  const { parse } = await import('@babel/parser');
  const isTypeScript = /\.[cm]?ts$/.test(path);
  const plugins: ParserPlugin[] = ['estree', 'decorators-legacy', 'explicitResourceManagement'];
  if (isTypeScript || path.endsWith('.tsx')) plugins.push('typescript');
  if (!isTypeScript) plugins.push('jsx');
  try {
    const { program } = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      createImportExpressions: true,
      plugins,
    });
    return new SourceFile(path, text, program as unknown as Syntax);
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    if (error instanceof RangeError) return new ParseProblem(1, 'is nested too deeply');
    return new ParseProblem(loc?.line ?? 1, message.replace(/ \(\d+:\d+\)$/, ''));
  }
}

/** The value of an expression that the program itself tells: numbers, texts, flags and arithmetic of them. */
export function constantOf(file: SourceFile, node: Syntax): string | number | boolean | undefined {
  const value = file.valueOf(bare(node));
  if (!value) return undefined;
  if (value.type === 'Literal') return isPlain(value.value) ? value.value : undefined;
  if (value.type === 'TemplateLiteral' && value.expressions.length === 0) return value.quasis[0].value.cooked;
  if (value.type !== 'BinaryExpression' || !isSyntax(value.left)) return undefined;
  const left = constantOf(file, value.left);
  const right = constantOf(file, value.right);
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (value.operator === '*') return left * right;
  if (value.operator === '+') return left + right;
  if (value.operator === '-') return left - right;
  return value.operator === '/' ? left / right : undefined;
}

/** The properties of an object, with those of the constants that it spreads: `{ ...defaults, limit: 5 }`. */
export function propertiesOf(file: SourceFile, object: Syntax): readonly Spread[] {
  return (object.properties as Syntax[]).map((property) => ({ property, options: optionsIn(file, property) }));
}

/** A property of an object, and the options that it gives. */
export interface Spread {
  readonly property: Syntax;
  readonly options: readonly Syntax[];
}

function optionsIn(file: SourceFile, property: Syntax): readonly Syntax[] {
  if (property.type !== 'SpreadElement' || property.argument.type !== 'Identifier') return [property];
  const object = file.valueOf(property.argument);
  const isConstant = file
    .referencesOf(property.argument.name)
    .every((reference) => file.parentOf(reference)?.type === 'SpreadElement');
  return object?.type === 'ObjectExpression' && isConstant ? (object.properties as Syntax[]) : [property];
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

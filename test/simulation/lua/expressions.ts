import type { Expression, Statement } from 'luaparse';
import { Arity } from './arity.js';
import { globals } from './library.js';
import type { Names } from './names.js';

export type FunctionNode = Extract<Expression | Statement, { type: 'FunctionDeclaration' }>;

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'power',
  '..': 'concat',
};

/** What a function of any number of arguments calls the last of them. */
export const ARGUMENTS = '$others';

/** Writes the expressions of a script in JavaScript. */
export class Expressions {
  readonly arity: Arity;
  readonly #names: Names;
  readonly #functionOf: (node: FunctionNode) => string;

  /** @param functionOf writes a function */
  constructor(names: Names, functionOf: (node: FunctionNode) => string) {
    this.arity = new Arity(names);
    this.#names = names;
    this.#functionOf = functionOf;
  }

  /** As many values: each of its own, or one text of an array where the last expression has several values. */
  values(expressions: readonly Expression[], count: number): readonly string[] | string {
    const last = expressions.at(-1);
    if (last !== undefined && expressions.length < count && this.arity.isMany(last)) return this.#list(expressions);
    const values = expressions.map((each) => this.single(each));
    while (values.length < count) values.push('undefined');
    return values;
  }

  /** An array of all values of expressions. */
  #list(expressions: readonly Expression[]): string {
    return `[${this.#arguments(expressions)}]`;
  }

  #arguments(expressions: readonly Expression[]): string {
    return expressions
      .map((each, place) =>
        place === expressions.length - 1 && this.arity.isMany(each) ? `...all(${this.text(each)})` : this.single(each),
      )
      .join(', ');
  }

  /** What `return` gives: one value, or an array of several. */
  returned(expressions: readonly Expression[]): string {
    if (expressions.length === 0) return 'undefined';
    if (expressions.length === 1) return this.text(expressions[0]!);
    return this.#list(expressions);
  }

  /** True for what has the same value in each run of a script, and no state of its own. */
  isConstant(node: Expression): boolean {
    if (node.type === 'BinaryExpression') return this.isConstant(node.left) && this.isConstant(node.right);
    if (node.type === 'MemberExpression') return this.#names.libraryMember(node)?.startsWith('globals.') === true;
    return node.type === 'NumericLiteral' || node.type === 'StringLiteral' || node.type === 'BooleanLiteral';
  }

  /** True or false. */
  condition(node: Expression): string {
    if (isBoolean(node)) return this.single(node);
    return `truthy(${this.single(node)})`;
  }

  /** One value. */
  single(node: Expression): string {
    return this.arity.isMany(node) ? `one(${this.text(node)})` : this.text(node);
  }

  /** One value, or an array of the values of a call. */
  text(node: Expression): string {
    switch (node.type) {
      case 'Identifier':
        return this.#names.of(node.name);
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return `${node.value}`;
      case 'StringLiteral':
        return JSON.stringify(node.value);
      case 'NilLiteral':
        return 'undefined';
      case 'MemberExpression':
        return (
          this.#names.libraryMember(node) ?? `index(${this.single(node.base)}, ${JSON.stringify(node.identifier.name)})`
        );
      case 'IndexExpression':
        return `index(${this.single(node.base)}, ${this.single(node.index)})`;
      case 'CallExpression':
        return this.#call(node.base, node.arguments);
      case 'StringCallExpression':
        return this.#call(node.base, [node.argument]);
      case 'TableCallExpression':
        return this.#call(node.base, [node.arguments]);
      case 'UnaryExpression': {
        if (node.operator === 'not') return `!(${this.condition(node.argument)})`;
        const name = node.operator === '#' ? 'length' : 'negate';
        return `${name}(${this.single(node.argument)})`;
      }
      case 'BinaryExpression':
        return this.#binary(node.operator, this.single(node.left), this.single(node.right));
      case 'LogicalExpression':
        return this.#logical(node);
      case 'TableConstructorExpression':
        return this.#table(node);
      case 'VarargLiteral':
        return ARGUMENTS;
      case 'FunctionDeclaration':
        return `(${this.#functionOf(node)})`;
      default:
        throw new SyntaxError(`a script has a ${(node as Expression).type}`);
    }
  }

  /** True for the function whose values a loop gets one after the other. */
  isMatches(base: Expression): boolean {
    return base.type === 'MemberExpression' && this.#callee(base)[0] === 'globals.string.gmatch';
  }

  #call(base: Expression, given: readonly Expression[]): string {
    const [callee, owner] = this.#callee(base);
    const last = given.at(-1);
    const firsts = given.map((each) => this.single(each));
    if (owner !== undefined) firsts.unshift(owner);
    if (last === undefined || !this.arity.isMany(last)) return `${callee}(${firsts.join(', ')})`;
    return `spread(${callee}, [${firsts.slice(0, -1).join(', ')}], ${this.text(last)})`;
  }

  /** A function, and the text that it is called on as a method. */
  #callee(base: Expression): readonly [callee: string, owner?: string] {
    const library = this.#names.libraryMember(base);
    if (library !== undefined) return [library];
    if (base.type !== 'MemberExpression' || base.indexer === '.') return [this.single(base)];
    const { name } = base.identifier;
    if (!(name in globals.string)) throw new SyntaxError(`a script calls the method ${name}`);
    return [`globals.string.${name}`, this.single(base.base)];
  }

  #binary(operator: string, left: string, right: string): string {
    const name = ARITHMETIC[operator];
    if (name !== undefined) return `${name}(${left}, ${right})`;
    switch (operator) {
      case '==':
        return `(${left} === ${right})`;
      case '~=':
        return `(${left} !== ${right})`;
      case '<':
        return `less(${left}, ${right})`;
      case '>':
        return `less(${right}, ${left})`;
      case '<=':
        return `atMost(${left}, ${right})`;
      default:
        return `atMost(${right}, ${left})`;
    }
  }

  #logical({ operator, left, right }: Extract<Expression, { type: 'LogicalExpression' }>): string {
    if (isBoolean(left)) return `(${this.single(left)} ${operator === 'and' ? '&&' : '||'} ${this.single(right)})`;
    const value = this.#names.temporary('either');
    const first = `truthy(${value} = ${this.single(left)})`;
    const second = this.single(right);
    return operator === 'and' ? `(${first} ? ${second} : ${value})` : `(${first} ? ${value} : ${second})`;
  }

  #table({ fields }: Extract<Expression, { type: 'TableConstructorExpression' }>): string {
    const list = fields.flatMap((field) => (field.type === 'TableValue' ? [field.value] : []));
    const pairs = fields.flatMap((field) => {
      if (field.type === 'TableValue') return [];
      const key = field.type === 'TableKey' ? this.single(field.key) : JSON.stringify(field.key.name);
      return [key, this.single(field.value)];
    });
    return `table(${this.#list(list)}, [${pairs.join(', ')}])`;
  }
}

/** True for an expression whose value is true or false, so that JavaScript's own operators mean the same. */
function isBoolean(node: Expression): boolean {
  if (node.type === 'BooleanLiteral') return true;
  if (node.type === 'UnaryExpression') return node.operator === 'not';
  return node.type === 'BinaryExpression' && ['==', '~=', '<', '>', '<=', '>='].includes(node.operator);
}

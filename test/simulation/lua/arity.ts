import type { Expression, Statement } from 'luaparse';
import { globals } from './library.js';
import type { Names } from './names.js';

/** Of the libraries, what is no function of one value. */
const OTHERS = new Set([
  'math.huge',
  'string.byte',
  'string.find',
  'string.gmatch',
  'string.gsub',
  'string.match',
  'struct.unpack',
  'unpack',
]);

/** How many values expressions have. A call of a function that returns one needs no array. */
export class Arity {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** True for a call that may have no value, or several. */
  isMany(node: Expression): boolean {
    if (node.type === 'VarargLiteral') return true;
    if (node.type === 'StringCallExpression' || node.type === 'TableCallExpression') return true;
    return node.type === 'CallExpression' && !this.isSingleFunction(node.base);
  }

  isSingleFunction(node: Expression): boolean {
    if (node.type === 'FunctionDeclaration') return this.returnsOne(node.body);
    if (node.type === 'Identifier') {
      if (this.#names.local(node.name) !== undefined) return this.#names.isSingle(node.name);
      return node.name in globals && !OTHERS.has(node.name);
    }
    if (node.type !== 'MemberExpression') return false;
    if (node.indexer === ':') return !OTHERS.has(`string.${node.identifier.name}`);
    const member = this.#names.libraryMember(node);
    return member !== undefined && !OTHERS.has(member.replace('globals.', ''));
  }

  /** True for the body of a function that returns one value at most. */
  returnsOne(statements: readonly Statement[]): boolean {
    return statements.every((each) => {
      if (each.type === 'ReturnStatement') {
        const [first, ...others] = each.arguments;
        return others.length === 0 && (first === undefined || !this.isMany(first));
      }
      if (each.type === 'IfStatement') return each.clauses.every(({ body }) => this.returnsOne(body));
      return !('body' in each) || each.type === 'FunctionDeclaration' || this.returnsOne(each.body);
    });
  }
}

import type { Expression, Statement } from 'luaparse';
import { globals } from './library.js';
import { Names } from './names.js';

/** Of the libraries, what is no function of one value. */
const OTHERS = new Set(['math.huge', 'string.byte', 'string.find', 'string.match', 'struct.unpack', 'unpack']);

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'power',
  '..': 'concat',
};

/**
 * Writes the statements of a script of Redis in JavaScript. Both languages compute with doubles, so numbers are exact where
 * those of Redis are. It knows the parts of Lua 5.1 that the scripts of the product use, and refuses any other.
 */
export class Compiler {
  readonly #names = new Names();
  /** Names of values that `and` and `or` of the function need twice. */
  #temporaries: string[] = [];

  /** The text of a statement outside of all functions. It is the same in each script that has the statement. */
  outermost(node: Statement): string {
    this.#names.restart();
    return this.#withTemporaries(() => this.#statement(node));
  }

  /** How many places `locals` has. */
  count(): number {
    return this.#names.count;
  }

  #functionBody(statements: readonly Statement[]): string {
    return `{ ${this.#withTemporaries(() => this.#block(statements))} }`;
  }

  #withTemporaries(write: () => string): string {
    const outer = this.#temporaries;
    this.#temporaries = [];
    const text = write();
    const own = this.#temporaries;
    this.#temporaries = outer;
    return own.length === 0 ? text : `let ${own.join(', ')};\n${text}`;
  }

  #block(statements: readonly Statement[], declare: () => string = () => ''): string {
    return this.#names.within(() => `{ ${declare()}\n${statements.map((each) => this.#statement(each)).join('\n')} }`);
  }

  #statement(node: Statement): string {
    switch (node.type) {
      case 'LocalStatement': {
        const values = this.#values(node.init, node.variables.length);
        const singles = node.init.map((each) => this.#isSingleFunction(each));
        const declare = (name: string, place: number) =>
          this.#names.declare(name, { isSingle: singles[place] === true });
        const names = node.variables.map(({ name }, place) => declare(name, place));
        const head = this.#names.let(names);
        if (typeof values === 'string') return `${head} [${names.join(', ')}] = ${values};`;
        return `${head} ${names.map((name, place) => `${name} = ${values[place]};`).join(' ')}`;
      }
      case 'AssignmentStatement': {
        if (node.variables.length === 1 && node.init.length === 1) {
          return this.#assign(node.variables[0]!, this.#single(node.init[0]!));
        }
        const values = this.#values(node.init, node.variables.length);
        const name = this.#names.fresh('values');
        const list = typeof values === 'string' ? values : `[${values.join(', ')}]`;
        const all = node.variables.map((each, place) => this.#assign(each, `${name}[${place}]`));
        return `{ const ${name} = ${list}; ${all.join(' ')} }`;
      }
      case 'CallStatement':
        return `${this.#expression(node.expression)};`;
      case 'IfStatement':
        return node.clauses
          .map((clause) => {
            if (clause.type === 'ElseClause') return `else ${this.#block(clause.body)}`;
            const word = clause.type === 'IfClause' ? 'if' : 'else if';
            return `${word} (${this.#condition(clause.condition)}) ${this.#block(clause.body)}`;
          })
          .join(' ');
      case 'WhileStatement':
        return `while (${this.#condition(node.condition)}) ${this.#block(node.body)}`;
      case 'DoStatement':
        return this.#block(node.body);
      case 'BreakStatement':
        return 'break;';
      case 'ReturnStatement':
        return `return ${this.#returned(node.arguments)};`;
      case 'FunctionDeclaration':
        return this.#functionStatement(node);
      case 'ForNumericStatement':
        return this.#numericLoop(node);
      case 'ForGenericStatement':
        return this.#genericLoop(node);
      default:
        throw new SyntaxError(`a script has a ${node.type}`);
    }
  }

  #numericLoop(node: Extract<Statement, { type: 'ForNumericStatement' }>): string {
    const [start, end] = [this.#single(node.start), this.#single(node.end)];
    const step = node.step === null ? '1' : this.#single(node.step);
    const [at, last, by] = ['at', 'last', 'by'].map((name) => this.#names.fresh(name));
    const body = this.#block(node.body, () => `let ${this.#names.declare(node.variable.name)} = ${at};`);
    const head = `let ${at} = bound(${start}), ${last} = bound(${end}), ${by} = bound(${step});`;
    return `for (${head} ${by} > 0 ? ${at} <= ${last} : ${at} >= ${last}; ${at} += ${by}) ${body}`;
  }

  #genericLoop({ iterators, variables, body }: Extract<Statement, { type: 'ForGenericStatement' }>): string {
    const [iterator] = iterators;
    if (iterator?.type !== 'CallExpression' || iterator.base.type !== 'Identifier') {
      throw new SyntaxError('a script loops over something other than pairs and ipairs');
    }
    const over = this.#single(iterator.arguments[0]!);
    const [from, at, value] = ['from', 'at', 'value'].map((name) => this.#names.fresh(name));
    const declare = () =>
      variables.map(({ name }, place) => `let ${this.#names.declare(name)} = ${place === 0 ? at : value};`).join(' ');
    if (iterator.base.name === 'pairs') {
      return `for (const [${at}, ${value}] of pairs(${over})) ${this.#block(body, declare)}`;
    }
    const next = `(${value} = index(${from}, ${at})) !== undefined`;
    return `for (let ${from} = ${over}, ${at} = 1, ${value}; ${next}; ${at} += 1) ${this.#block(body, declare)}`;
  }

  #functionStatement(node: Extract<Expression | Statement, { type: 'FunctionDeclaration' }>): string {
    const { identifier, isLocal } = node;
    if (identifier?.type === 'Identifier' && isLocal) {
      const name = this.#names.declare(identifier.name, { isSingle: this.#returnsOne(node.body) });
      return `${this.#names.let([name])} ${name} = ${this.#function(node)};`;
    }
    return this.#assign(identifier as Expression, this.#function(node));
  }

  #function({ parameters, body }: Extract<Expression | Statement, { type: 'FunctionDeclaration' }>): string {
    return this.#names.within(() => {
      const names = parameters.map((each) => {
        if (each.type !== 'Identifier') throw new SyntaxError('a script has a function of any number of arguments');
        return this.#names.declare(each.name);
      });
      return `function (${names.join(', ')}) ${this.#functionBody(body)}`;
    });
  }

  #assign(to: Expression, value: string): string {
    if (to.type === 'Identifier') {
      const name = this.#names.of(to.name);
      if (this.#names.isSingle(to.name)) throw new SyntaxError(`a script changes the function ${to.name}`);
      return `${name} = ${value};`;
    }
    if (to.type === 'MemberExpression') {
      return `assign(${this.#single(to.base)}, ${JSON.stringify(to.identifier.name)}, ${value});`;
    }
    if (to.type === 'IndexExpression') return `assign(${this.#single(to.base)}, ${this.#single(to.index)}, ${value});`;
    throw new SyntaxError(`a script assigns to a ${to.type}`);
  }

  /** As many values: each of its own, or one text of an array where the last expression has several values. */
  #values(expressions: readonly Expression[], count: number): readonly string[] | string {
    const last = expressions.at(-1);
    if (last !== undefined && expressions.length < count && this.#isMany(last)) return this.#list(expressions);
    const values = expressions.map((each) => this.#single(each));
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
        place === expressions.length - 1 && this.#isMany(each)
          ? `...all(${this.#expression(each)})`
          : this.#single(each),
      )
      .join(', ');
  }

  #returned(expressions: readonly Expression[]): string {
    if (expressions.length === 0) return 'undefined';
    if (expressions.length === 1) return this.#expression(expressions[0]!);
    return this.#list(expressions);
  }

  #condition(node: Expression): string {
    if (isBoolean(node)) return this.#single(node);
    return `truthy(${this.#single(node)})`;
  }

  /** One value. */
  #single(node: Expression): string {
    return this.#isMany(node) ? `one(${this.#expression(node)})` : this.#expression(node);
  }

  /** True for a call that may have no value, or several. */
  #isMany(node: Expression): boolean {
    if (node.type === 'StringCallExpression' || node.type === 'TableCallExpression') return true;
    return node.type === 'CallExpression' && !this.#isSingleFunction(node.base);
  }

  #isSingleFunction(node: Expression): boolean {
    if (node.type === 'Identifier') {
      if (this.#names.local(node.name) !== undefined) return this.#names.isSingle(node.name);
      return node.name in globals && !OTHERS.has(node.name);
    }
    if (node.type !== 'MemberExpression') return false;
    if (node.indexer === ':') return !OTHERS.has(`string.${node.identifier.name}`);
    const member = this.#libraryMember(node);
    return member !== undefined && !OTHERS.has(member.replace('globals.', ''));
  }

  #returnsOne(statements: readonly Statement[]): boolean {
    return statements.every((each) => {
      if (each.type === 'ReturnStatement') {
        const [first, ...others] = each.arguments;
        return others.length === 0 && (first === undefined || !this.#isMany(first));
      }
      if (each.type === 'IfStatement') return each.clauses.every(({ body }) => this.#returnsOne(body));
      return !('body' in each) || each.type === 'FunctionDeclaration' || this.#returnsOne(each.body);
    });
  }

  #expression(node: Expression): string {
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
          this.#libraryMember(node) ?? `index(${this.#single(node.base)}, ${JSON.stringify(node.identifier.name)})`
        );
      case 'IndexExpression':
        return `index(${this.#single(node.base)}, ${this.#single(node.index)})`;
      case 'CallExpression':
        return this.#call(node.base, node.arguments);
      case 'StringCallExpression':
        return this.#call(node.base, [node.argument]);
      case 'TableCallExpression':
        return this.#call(node.base, [node.arguments]);
      case 'UnaryExpression': {
        if (node.operator === 'not') return `!(${this.#condition(node.argument)})`;
        const name = node.operator === '#' ? 'length' : 'negate';
        return `${name}(${this.#single(node.argument)})`;
      }
      case 'BinaryExpression':
        return this.#binary(node.operator, this.#single(node.left), this.#single(node.right));
      case 'LogicalExpression':
        return this.#logical(node);
      case 'TableConstructorExpression':
        return this.#table(node);
      case 'FunctionDeclaration':
        return `(${this.#function(node)})`;
      default:
        throw new SyntaxError(`a script has a ${node.type}`);
    }
  }

  #call(base: Expression, given: readonly Expression[]): string {
    const [callee, owner] = this.#callee(base);
    const last = given.at(-1);
    const firsts = given.map((each) => this.#single(each));
    if (owner !== undefined) firsts.unshift(owner);
    if (last === undefined || !this.#isMany(last)) return `${callee}(${firsts.join(', ')})`;
    return `spread(${callee}, [${firsts.slice(0, -1).join(', ')}], ${this.#expression(last)})`;
  }

  /** A function, and the text that it is called on as a method. */
  #callee(base: Expression): readonly [callee: string, owner?: string] {
    const library = this.#libraryMember(base);
    if (library !== undefined) return [library];
    if (base.type !== 'MemberExpression' || base.indexer === '.') return [this.#single(base)];
    const { name } = base.identifier;
    if (!(name in globals.string)) throw new SyntaxError(`a script calls the method ${name}`);
    return [`globals.string.${name}`, this.#single(base.base)];
  }

  /** `math.floor`, unless the script has a local of that name. */
  #libraryMember(node: Expression): string | undefined {
    if (node.type !== 'MemberExpression' || node.indexer !== '.' || node.base.type !== 'Identifier') return undefined;
    const { name: library } = node.base;
    const { name } = node.identifier;
    if (this.#names.local(library) !== undefined && library !== 'redis') return undefined;
    return library === 'redis' || library in globals ? `${this.#names.of(library)}.${name}` : undefined;
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
    if (isBoolean(left)) return `(${this.#single(left)} ${operator === 'and' ? '&&' : '||'} ${this.#single(right)})`;
    const value = this.#names.fresh('either');
    this.#temporaries.push(value);
    const first = `truthy(${value} = ${this.#single(left)})`;
    const second = this.#single(right);
    return operator === 'and' ? `(${first} ? ${second} : ${value})` : `(${first} ? ${value} : ${second})`;
  }

  #table({ fields }: Extract<Expression, { type: 'TableConstructorExpression' }>): string {
    const list = fields.flatMap((field) => (field.type === 'TableValue' ? [field.value] : []));
    const pairs = fields.flatMap((field) => {
      if (field.type === 'TableValue') return [];
      const key = field.type === 'TableKey' ? this.#single(field.key) : JSON.stringify(field.key.name);
      return [key, this.#single(field.value)];
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

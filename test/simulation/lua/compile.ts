import { parse, type Chunk, type Expression, type Statement } from 'luaparse';
import { globals } from './library.js';
import * as operators from './operators.js';
import type { LuaTable, LuaValue } from './values.js';

/** A script that can be run: what it returns. */
export type CompiledScript = (redis: LuaTable, keys: LuaTable, args: LuaTable) => LuaValue | LuaValue[];

/**
 * Compiles a script of Redis to JavaScript. Both languages compute with doubles, so numbers are exact where those of Redis
 * are. It knows the parts of Lua 5.1 that the scripts of the product use, and refuses any other.
 */
export function compileLua(source: string): CompiledScript {
  const chunk = parse(source, { luaVersion: '5.1', comments: false, encodingMode: 'pseudo-latin1' });
  const body = new Compiler().chunk(chunk);
  const names = Object.keys(operators);
  // oxlint-disable-next-line typescript/no-implied-eval -- the text of a compiler
  const make = new Function('globals', 'operators', `const { ${names.join(', ')} } = operators; return ${body};`) as (
    ...args: unknown[]
  ) => CompiledScript;
  return make(globals, operators);
}

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'power',
  '..': 'concat',
};

class Compiler {
  /** The JavaScript names of the locals of each block. */
  readonly #scopes: Map<string, string>[] = [];
  #names = 0;
  /** Names of values that `and` and `or` of the function need twice. */
  #temporaries: string[] = [];

  chunk({ body }: Chunk): string {
    this.#scopes.push(new Map(['redis', 'KEYS', 'ARGV'].map((name) => [name, name])));
    return `function (redis, KEYS, ARGV) ${this.#functionBody(body)}`;
  }

  #functionBody(statements: readonly Statement[]): string {
    const outer = this.#temporaries;
    this.#temporaries = [];
    const body = this.#block(statements);
    const own = this.#temporaries;
    this.#temporaries = outer;
    return own.length === 0 ? body : `{ let ${own.join(', ')};\n${body} }`;
  }

  #block(statements: readonly Statement[], declare: () => string = () => ''): string {
    this.#scopes.push(new Map());
    const head = declare();
    const text = statements.map((each) => this.#statement(each)).join('\n');
    this.#scopes.pop();
    return `{ ${head}\n${text} }`;
  }

  #declare(name: string): string {
    this.#names += 1;
    const made = `${name}_${this.#names}`;
    this.#scopes.at(-1)!.set(name, made);
    return made;
  }

  #nameOf(name: string): string {
    const scope = this.#scopes.findLast((each) => each.has(name));
    if (scope !== undefined) return scope.get(name)!;
    if (!(name in globals)) throw new SyntaxError(`a script uses the global ${name}`);
    return `globals.${name}`;
  }

  #statement(node: Statement): string {
    switch (node.type) {
      case 'LocalStatement': {
        const values = this.#values(node.init, node.variables.length);
        const names = node.variables.map(({ name }) => this.#declare(name));
        if (typeof values === 'string') return `let [${names.join(', ')}] = ${values};`;
        return names.map((name, place) => `let ${name} = ${values[place]};`).join(' ');
      }
      case 'AssignmentStatement': {
        if (node.variables.length === 1 && node.init.length === 1) {
          return this.#assign(node.variables[0]!, this.#single(node.init[0]!));
        }
        const values = this.#values(node.init, node.variables.length);
        this.#names += 1;
        const name = `values_${this.#names}`;
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
    this.#names += 1;
    const [at, last, by] = ['at', 'last', 'by'].map((name) => `${name}_${this.#names}`);
    const body = this.#block(node.body, () => `let ${this.#declare(node.variable.name)} = ${at};`);
    const head = `let ${at} = bound(${start}), ${last} = bound(${end}), ${by} = bound(${step});`;
    return `for (${head} ${by} > 0 ? ${at} <= ${last} : ${at} >= ${last}; ${at} += ${by}) ${body}`;
  }

  #genericLoop({ iterators, variables, body }: Extract<Statement, { type: 'ForGenericStatement' }>): string {
    const [iterator] = iterators;
    if (iterator?.type !== 'CallExpression' || iterator.base.type !== 'Identifier') {
      throw new SyntaxError('a script loops over something other than pairs and ipairs');
    }
    const over = this.#single(iterator.arguments[0]!);
    this.#names += 1;
    const [from, at, value] = ['from', 'at', 'value'].map((name) => `${name}_${this.#names}`);
    const declare = () =>
      variables.map(({ name }, place) => `let ${this.#declare(name)} = ${place === 0 ? at : value};`).join(' ');
    if (iterator.base.name === 'pairs') {
      return `for (const [${at}, ${value}] of pairs(${over})) ${this.#block(body, declare)}`;
    }
    const next = `(${value} = index(${from}, ${at})) !== undefined`;
    return `for (let ${from} = ${over}, ${at} = 1, ${value}; ${next}; ${at} += 1) ${this.#block(body, declare)}`;
  }

  #functionStatement(node: Extract<Expression | Statement, { type: 'FunctionDeclaration' }>): string {
    const { identifier, isLocal } = node;
    if (identifier?.type === 'Identifier' && isLocal) {
      const name = this.#declare(identifier.name);
      return `let ${name}; ${name} = ${this.#function(node)};`;
    }
    return this.#assign(identifier as Expression, this.#function(node));
  }

  #function({ parameters, body }: Extract<Expression | Statement, { type: 'FunctionDeclaration' }>): string {
    this.#scopes.push(new Map());
    const names = parameters.map((each) => {
      if (each.type !== 'Identifier') throw new SyntaxError('a script has a function of any number of arguments');
      return this.#declare(each.name);
    });
    const text = `function (${names.join(', ')}) ${this.#functionBody(body)}`;
    this.#scopes.pop();
    return text;
  }

  #assign(to: Expression, value: string): string {
    if (to.type === 'Identifier') return `${this.#nameOf(to.name)} = ${value};`;
    if (to.type === 'MemberExpression') {
      return `assign(${this.#single(to.base)}, ${JSON.stringify(to.identifier.name)}, ${value});`;
    }
    if (to.type === 'IndexExpression') return `assign(${this.#single(to.base)}, ${this.#single(to.index)}, ${value});`;
    throw new SyntaxError(`a script assigns to a ${to.type}`);
  }

  /** As many values: each of its own, or one text of an array where the last expression has several values. */
  #values(expressions: readonly Expression[], count: number): readonly string[] | string {
    const last = expressions.at(-1);
    if (last !== undefined && expressions.length < count && isCall(last)) return this.#list(expressions);
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
        place === expressions.length - 1 && isCall(each) ? `...all(${this.#expression(each)})` : this.#single(each),
      )
      .join(', ');
  }

  #returned(expressions: readonly Expression[]): string {
    if (expressions.length === 0) return '[]';
    if (expressions.length === 1) return this.#expression(expressions[0]!);
    return this.#list(expressions);
  }

  #condition(node: Expression): string {
    if (isBoolean(node)) return this.#single(node);
    return `truthy(${this.#single(node)})`;
  }

  /** One value. */
  #single(node: Expression): string {
    return isCall(node) ? `one(${this.#expression(node)})` : this.#expression(node);
  }

  #expression(node: Expression): string {
    switch (node.type) {
      case 'Identifier':
        return this.#nameOf(node.name);
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return `${node.value}`;
      case 'StringLiteral':
        return JSON.stringify(node.value);
      case 'NilLiteral':
        return 'undefined';
      case 'MemberExpression':
        return `index(${this.#single(node.base)}, ${JSON.stringify(node.identifier.name)})`;
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
    const args = this.#arguments(given);
    if (base.type === 'MemberExpression' && base.indexer === ':') {
      const name = JSON.stringify(base.identifier.name);
      return `method(${[this.#single(base.base), name, args].filter(Boolean).join(', ')})`;
    }
    return `call(${[this.#single(base), args].filter(Boolean).join(', ')})`;
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
    this.#names += 1;
    const value = `either_${this.#names}`;
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

function isCall({ type }: Expression): boolean {
  return type === 'CallExpression' || type === 'StringCallExpression' || type === 'TableCallExpression';
}

/** True for an expression whose value is true or false, so that JavaScript's own operators mean the same. */
function isBoolean(node: Expression): boolean {
  if (node.type === 'BooleanLiteral') return true;
  if (node.type === 'UnaryExpression') return node.operator === 'not';
  return node.type === 'BinaryExpression' && ['==', '~=', '<', '>', '<=', '>='].includes(node.operator);
}

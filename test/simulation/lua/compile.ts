import type { Expression, Statement } from 'luaparse';
import { ARGUMENTS, Expressions, type FunctionNode } from './expressions.js';
import { Names, type Declared } from './names.js';

/** The JavaScript of a statement. */
export interface Outermost {
  /** What happens once, before the script runs. */
  readonly once: string;
  /** What happens whenever it runs. */
  readonly step: string;
}

const NOTHING = (): string => '';

/**
 * Writes the statements of a script of Redis in JavaScript. Both languages compute with doubles, so numbers are exact where
 * those of Redis are. It knows the parts of Lua 5.1 that the scripts of the product use, and refuses any other.
 */
export class Compiler {
  readonly #names: Names;
  readonly #expressions: Expressions;

  /** @param declared what the script has before the first of these statements */
  constructor(declared: Declared) {
    this.#names = new Names(declared);
    this.#expressions = new Expressions(this.#names, (node) => this.#function(node));
  }

  /** What the script has behind the last of them. */
  declared(): Declared {
    return this.#names.declared();
  }

  /** A statement outside of all functions. Its texts are the same in each script that has it. */
  outermost(node: Statement): Outermost {
    this.#names.restart();
    if (node.type === 'DoStatement') return this.#outermostBlock(node.body);
    if (this.#isDefinition(node)) return { once: this.#statement(node), step: '' };
    if (node.type === 'FunctionDeclaration') {
      const step = this.#assign(node.identifier as Expression, 'made');
      return { once: `const made = ${this.#function(node)};`, step };
    }
    return { once: '', step: this.#names.withTemporaries(() => this.#statement(node)) };
  }

  /** A block of the script: its functions are made once, and all else happens whenever it runs. */
  #outermostBlock(statements: readonly Statement[]): Outermost {
    const functions: string[] = [];
    const { text, declared } = this.#names.block(() =>
      this.#names.withTemporaries(() =>
        statements
          .map((each) => {
            if (each.type !== 'FunctionDeclaration') return this.#statement(each);
            const made = this.#names.fresh('made');
            return this.#functionStatement(each, (value) => {
              functions.push(`const ${made} = ${value};`);
              return made;
            });
          })
          .join('\n'),
      ),
    );
    const once = [...(declared.length > 0 ? [`let ${declared.join(', ')};`] : []), ...functions].join('\n');
    return { once, step: `{ ${text} }` };
  }

  /** True for locals that are the same whenever the script runs. */
  #isDefinition(node: Statement): boolean {
    if (node.type === 'FunctionDeclaration') return node.isLocal;
    return node.type === 'LocalStatement' && node.init.every((each) => this.#expressions.isConstant(each));
  }

  /** @param first what stands before the statements. @param last what stands behind them, and knows their locals */
  #block(statements: readonly Statement[], { first = NOTHING, last = NOTHING } = {}): string {
    const body = () => statements.map((each) => this.#statement(each)).join('\n');
    return this.#names.within(() => `{ ${first()}\n${body()}\n${last()} }`);
  }

  #statement(node: Statement): string {
    switch (node.type) {
      case 'LocalStatement': {
        const values = this.#expressions.values(node.init, node.variables.length);
        const singles = node.init.map((each) => this.#expressions.arity.isSingleFunction(each));
        const declare = (name: string, place: number) =>
          this.#names.declare(name, { isSingle: singles[place] === true });
        const names = node.variables.map(({ name }, place) => declare(name, place));
        const head = this.#names.let(names);
        if (typeof values === 'string') return `${head} [${names.join(', ')}] = ${values};`;
        return `${head} ${names.map((name, place) => `${name} = ${values[place]};`).join(' ')}`;
      }
      case 'AssignmentStatement': {
        if (node.variables.length === 1 && node.init.length === 1) {
          const [value] = node.init;
          const isSingle = this.#expressions.arity.isSingleFunction(value!);
          return this.#assign(node.variables[0]!, this.#expressions.single(value!), isSingle);
        }
        const values = this.#expressions.values(node.init, node.variables.length);
        const name = this.#names.fresh('values');
        const list = typeof values === 'string' ? values : `[${values.join(', ')}]`;
        // Lua knows all places before it changes one of them: of `list[#list + 1], list[#list + 2]` the length is the same.
        const places: string[] = [];
        const all = node.variables.map((each, place) => {
          const value = `${name}[${place}]`;
          if (each.type !== 'IndexExpression') return this.#assign(each, value);
          const [base, index] = [this.#names.fresh('base'), this.#names.fresh('index')];
          const { base: table, index: key } = each;
          places.push(
            `const ${base} = ${this.#expressions.single(table)}, ${index} = ${this.#expressions.single(key)};`,
          );
          return `assign(${base}, ${index}, ${value});`;
        });
        return `{ const ${name} = ${list}; ${places.join(' ')} ${all.join(' ')} }`;
      }
      case 'CallStatement':
        return `${this.#expressions.text(node.expression)};`;
      case 'IfStatement':
        return node.clauses
          .map((clause) => {
            if (clause.type === 'ElseClause') return `else ${this.#block(clause.body)}`;
            const word = clause.type === 'IfClause' ? 'if' : 'else if';
            return `${word} (${this.#expressions.condition(clause.condition)}) ${this.#block(clause.body)}`;
          })
          .join(' ');
      case 'WhileStatement':
        return `while (${this.#expressions.condition(node.condition)}) ${this.#block(node.body)}`;
      case 'RepeatStatement':
        // The condition knows the locals of the body.
        return `for (;;) ${this.#block(node.body, { last: () => `if (${this.#expressions.condition(node.condition)}) break;` })}`;
      case 'DoStatement':
        return this.#block(node.body);
      case 'BreakStatement':
        return 'break;';
      case 'ReturnStatement':
        return `return ${this.#expressions.returned(node.arguments)};`;
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
    const [start, end] = [this.#expressions.single(node.start), this.#expressions.single(node.end)];
    const step = node.step === null ? '1' : this.#expressions.single(node.step);
    const [at, last, by] = ['at', 'last', 'by'].map((name) => this.#names.fresh(name));
    const body = this.#block(node.body, { first: () => `let ${this.#names.declare(node.variable.name)} = ${at};` });
    const head = `let ${at} = bound(${start}), ${last} = bound(${end}), ${by} = bound(${step});`;
    return `for (${head} ${by} > 0 ? ${at} <= ${last} : ${at} >= ${last}; ${at} += ${by}) ${body}`;
  }

  #genericLoop({ iterators, variables, body }: Extract<Statement, { type: 'ForGenericStatement' }>): string {
    const [iterator] = iterators;
    if (iterator?.type === 'CallExpression' && this.#expressions.isMatches(iterator.base)) {
      const captures = this.#names.fresh('captures');
      const first = () =>
        variables.map(({ name }, place) => `let ${this.#names.declare(name)} = ${captures}.list[${place}];`).join(' ');
      return `for (const ${captures} of ${this.#expressions.text(iterator)}) ${this.#block(body, { first })}`;
    }
    if (iterator?.type !== 'CallExpression' || iterator.base.type !== 'Identifier') {
      throw new SyntaxError('a script loops over something other than pairs, ipairs and the matches of a text');
    }
    const over = this.#expressions.single(iterator.arguments[0]!);
    const [from, at, value] = ['from', 'at', 'value'].map((name) => this.#names.fresh(name));
    const declare = () =>
      variables.map(({ name }, place) => `let ${this.#names.declare(name)} = ${place === 0 ? at : value};`).join(' ');
    if (iterator.base.name === 'pairs') {
      return `for (const [${at}, ${value}] of pairs(${over})) ${this.#block(body, { first: declare })}`;
    }
    const next = `(${value} = index(${from}, ${at})) !== undefined`;
    return `for (let ${from} = ${over}, ${at} = 1, ${value}; ${next}; ${at} += 1) ${this.#block(body, { first: declare })}`;
  }

  /** @param place puts the text of the function elsewhere, and returns what stands for it */
  #functionStatement(node: FunctionNode, place = (value: string) => value): string {
    const { identifier, isLocal } = node;
    if (identifier?.type === 'Identifier' && isLocal) {
      const name = this.#names.declare(identifier.name, { isSingle: this.#expressions.arity.returnsOne(node.body) });
      return `${this.#names.let([name])} ${name} = ${place(this.#function(node))};`;
    }
    return this.#assign(identifier as Expression, place(this.#function(node)));
  }

  #function({ parameters, body }: FunctionNode): string {
    return this.#names.within(() => {
      const names = parameters.map((each) => {
        if (each.type !== 'Identifier') return `...${ARGUMENTS}`;
        return this.#names.declare(each.name);
      });
      return `function (${names.join(', ')}) { ${this.#names.withTemporaries(() => this.#block(body))} }`;
    });
  }

  /** @param isSingle whether the value is a function that returns one value at most */
  #assign(to: Expression, value: string, isSingle = false): string {
    if (to.type === 'Identifier') {
      const name = this.#names.of(to.name);
      if (this.#names.isSingle(to.name) && !isSingle) throw new SyntaxError(`a script changes the function ${to.name}`);
      return `${name} = ${value};`;
    }
    if (to.type === 'MemberExpression') {
      return `assign(${this.#expressions.single(to.base)}, ${JSON.stringify(to.identifier.name)}, ${value});`;
    }
    if (to.type === 'IndexExpression')
      return `assign(${this.#expressions.single(to.base)}, ${this.#expressions.single(to.index)}, ${value});`;
    throw new SyntaxError(`a script assigns to a ${to.type}`);
  }
}

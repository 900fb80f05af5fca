import { calculate, constantOf, type Constant } from './constant.js';
import type { SourceFile } from './source-file.js';
import { bare, nameOf, type Syntax } from './syntax.js';

/** A value that an expression can have. */
export interface Branch {
  /** What gives it: `0` of `isTest ? 0 : 100`. */
  readonly node: Syntax;
  /** Undefined where the file does not tell. */
  readonly value: Constant;
}

/** Expressions of limits have a handful of values. */
const MOST = 64;

/** The branches of names, each of them worked out once, as with constants. */
const known = new WeakMap<SourceFile, Map<string, readonly Branch[]>>();

/** The values that an expression can have: both sides of a condition, a value and its default. */
export function branchesOf(file: SourceFile, node: Syntax): readonly Branch[] {
  return allBranches(file, node).slice(0, MOST);
}

function allBranches(file: SourceFile, node: Syntax): readonly Branch[] {
  const inner = bare(node);
  const constant = constantOf(file, inner);
  if (constant !== undefined) return [{ node: inner, value: constant }];
  const within = (part: Syntax) => branchesOf(file, part);
  switch (inner.type) {
    case 'ConditionalExpression':
      return [...within(inner.consequent), ...within(inner.alternate)];
    case 'LogicalExpression':
      // `isProduction && 100` is no number elsewhere.
      if (inner.operator === '&&') return [{ node: inner, value: false }, ...within(inner.right)];
      return [...within(inner.left), ...within(inner.right)];
    case 'BinaryExpression': {
      const pairs = within(inner.left).flatMap((left) =>
        within(inner.right).map((right) => calculate(inner.operator, left.value, right.value)),
      );
      return [...new Set(pairs)].map((value) => ({ node: inner, value }));
    }
    case 'CallExpression':
      return isNumberOf(inner)
        ? within(inner.arguments[0]).map(({ value }) => ({ node: inner, value }))
        : [{ node: inner, value: undefined }];
    case 'Identifier':
      return branchesOfName(file, inner);
    default:
      return [{ node: inner, value: undefined }];
  }
}

function branchesOfName(file: SourceFile, name: Syntax): readonly Branch[] {
  const names = known.get(file) ?? new Map<string, readonly Branch[]>();
  known.set(file, names);
  const unknown = [{ node: name, value: undefined }];
  if (!names.has(name.name)) {
    // What a name that needs itself finds.
    names.set(name.name, unknown);
    const target = file.valueOf(name);
    if (target) names.set(name.name, branchesOf(file, target));
  }
  return names.get(name.name)!;
}

/** `Number(…)`, and what reads a number from text. */
function isNumberOf({ callee, arguments: [first] }: Syntax): boolean {
  const inner = bare(callee);
  const name = inner.type === 'MemberExpression' ? nameOf(inner) : (inner.name as string | undefined);
  return first !== undefined && /^(Number|parseInt|parseFloat|max|min)$/.test(name ?? '');
}

/** True for `undefined` and `null`, where a number is expected. */
export function isNothing({ node, value }: Branch): boolean {
  return value === undefined && (node.name === 'undefined' || (node.type === 'Literal' && node.value === null));
}

/** The number that a branch gives. Undefined where the file does not tell; text is a number in the environment alone. */
export function numberIn({ value }: Branch, isText: boolean): Constant {
  return isText && typeof value === 'string' ? Number(value) : value;
}

/** True for `process.env.MAX` and for names, defaults and choices of it: text, where the program wants a number. */
export function isOfEnvironment(file: SourceFile, node: Syntax): boolean {
  return branchesOf(file, node).some(({ node: leaf }) => isVariable(file, leaf));
}

function isVariable(file: SourceFile, leaf: Syntax): boolean {
  if (leaf.type === 'MemberExpression') return isEnvironment(file, leaf.object);
  // `config.get('MAX')` of Nest's configuration, and of others.
  if (leaf.type === 'CallExpression') {
    const callee = bare(leaf.callee);
    return callee.type === 'MemberExpression' && /^(get|getOrThrow)$/.test(nameOf(callee) ?? '');
  }
  if (leaf.type !== 'Identifier') return false;
  // `const { MAX = 100 } = process.env`
  const [declaration] = file.declarationsOf(leaf.name);
  let outer = declaration;
  while (outer && /^(Property|ObjectPattern|AssignmentPattern|Identifier)$/.test(outer.type))
    outer = file.parentOf(outer);
  return outer?.type === 'VariableDeclarator' && outer.id !== declaration && outer.init
    ? isEnvironment(file, outer.init)
    : false;
}

function isEnvironment(file: SourceFile, node: Syntax): boolean {
  const inner = bare(node);
  if (/^(process|import\.meta|Bun|globalThis\.process)\.env$/.test(file.textOf(inner))) return true;
  if (inner.type !== 'Identifier') return false;
  const target = file.valueOf(inner);
  if (target && target !== inner && target.type === 'MemberExpression') return isEnvironment(file, target);
  // `import { env } from 'node:process'`, `const { env } = process`
  return file.declarationsOf(inner.name).some((declaration) => {
    const statement = file.parentOf(file.parentOf(declaration) ?? declaration);
    const pattern = statement && file.parentOf(statement);
    const init = pattern?.type === 'VariableDeclarator' ? (pattern.init as Syntax | undefined) : undefined;
    return (
      (statement?.type === 'ImportDeclaration' && /^(node:)?process$/.test(statement.source.value)) ||
      (inner.name === 'env' && init?.type === 'Identifier' && init.name === 'process')
    );
  });
}

import { calculate, constantOf, type Constant } from './constant.js';
import type { SourceFile } from './source-file.js';
import { bare, nameOf, type Syntax } from './syntax.js';

/** A value that an expression can have. */
export interface Branch {
  /** What gives it: `0` of `isTest ? 0 : 100`. */
  readonly node: Syntax;
  /** Undefined where the file does not tell. */
  readonly value: Constant;
  /** True for the left side of `||` and `??`, which another value may replace. */
  readonly isReplaced?: boolean;
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
      return [...within(inner.left).map((each) => ({ ...each, isReplaced: true })), ...within(inner.right)];
    case 'BinaryExpression':
      return pairsOf(inner, within(inner.left), within(inner.right), (left, right) =>
        calculate(inner.operator, left, right),
      );
    case 'CallExpression':
      return branchesOfCall(inner, within);
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

/** What an operation makes of each pair of values. */
function pairsOf(
  node: Syntax,
  left: readonly Branch[],
  right: readonly Branch[],
  operate: (left: Constant, right: Constant) => Constant,
): readonly Branch[] {
  const values = left.flatMap((one) => right.map((other) => operate(one.value, other.value)));
  return [...new Set(values)].map((value) => ({ node, value }));
}

/** `Number(…)`, `Math.max(…)`, and the others that programs make numbers with. */
function branchesOfCall(call: Syntax, within: (part: Syntax) => readonly Branch[]): readonly Branch[] {
  const [first, second, ...others] = call.arguments as Syntax[];
  const name = nameOfCallee(call);
  if (first && /^(Number|(Number\.)?parse(Int|Float))$/.test(name)) {
    const values = new Set(within(first).map(({ value }) => (value === undefined ? undefined : Number(value))));
    return [...values].map((value) => ({ node: call, value }));
  }
  const choose = { 'Math.max': Math.max, 'Math.min': Math.min }[name];
  if (!choose || !first || !second || others.length > 0) return [{ node: call, value: undefined }];
  return pairsOf(call, within(first), within(second), (left, right) =>
    left === undefined || right === undefined ? undefined : choose(Number(left), Number(right)),
  );
}

function nameOfCallee({ callee }: Syntax): string {
  const inner = bare(callee);
  if (inner.type !== 'MemberExpression') return String(inner.name);
  return `${String(bare(inner.object).name)}.${nameOf(inner)}`;
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

/** True where one of these values may be undefined, and nothing stands in for it. */
export function mayBeMissing(file: SourceFile, node: Syntax): boolean {
  return branchesOf(file, node).some(
    ({ node: leaf, isReplaced }) => !isReplaced && leaf.type !== 'BinaryExpression' && isVariable(file, leaf),
  );
}

/** True for an object that the program itself may lack: a `let` without a value, a choice of nothing, an optional type. */
export function mayBeAbsent(file: SourceFile, node: Syntax): boolean {
  if (branchesOf(file, node).some(isNothing)) return true;
  const inner = bare(node);
  if (inner.type !== 'Identifier') return false;
  return file.declarationsOf(inner.name).some((declaration) => {
    const owner = file.parentOf(declaration)!;
    const type = declaration.typeAnnotation ? file.textOf(declaration.typeAnnotation as Syntax) : '';
    const isLater =
      owner.type === 'VariableDeclarator' &&
      file.parentOf(owner)?.kind === 'let' &&
      (!owner.init || isNothing({ node: owner.init, value: undefined }));
    return isLater || declaration.optional === true || /\b(undefined|null)\b/.test(type);
  });
}

/** What was found for a part of a program, once, because sums of sums would double the work with every line. */
const variables = new WeakMap<Syntax, boolean>();

function isVariable(file: SourceFile, leaf: Syntax): boolean {
  const before = variables.get(leaf);
  if (before !== undefined) return before;
  // What a sum that needs itself finds.
  variables.set(leaf, false);
  const found = isVariableAt(file, leaf);
  variables.set(leaf, found);
  return found;
}

function isVariableAt(file: SourceFile, leaf: Syntax): boolean {
  if (leaf.type === 'MemberExpression') return isEnvironment(file, leaf.object);
  // Text and a number are text.
  if (leaf.type === 'BinaryExpression' && leaf.operator === '+')
    return [leaf.left as Syntax, leaf.right as Syntax].some((side) => isOfEnvironment(file, side));
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

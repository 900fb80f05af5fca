import type { SourceFile } from './source-file.js';
import { bare, childrenOf, isFunction, isIn, type Syntax } from './syntax.js';

/** The functions and loops around a part of a program, from the inside, without functions that run once. */
export function repeatedFunctionsAround(file: SourceFile, node: Syntax): Syntax[] {
  const found: Syntax[] = [];
  for (let outer = file.parentOf(node); outer; outer = file.parentOf(outer)) {
    if (isLoop(outer) || (isFunction(outer) && !runsOnce(file, outer))) found.push(outer);
  }
  return found;
}

/** True for a function that is called where it is written, or in one place of its file alone. */
function runsOnce(file: SourceFile, fn: Syntax): boolean {
  const parent = file.parentOf(fn);
  if (parent?.type === 'CallExpression' && parent.callee === fn) return true;
  const owner = parent?.type === 'VariableDeclarator' ? (parent.id as Syntax) : (fn.id as Syntax | undefined);
  if (owner?.type !== 'Identifier' || file.declarationsOf(owner.name).length !== 1) return false;
  const statement = parent?.type === 'VariableDeclarator' ? file.parentOf(parent) : fn;
  if (file.parentOf(statement!)?.type.startsWith('Export')) return false;
  const [only, ...more] = file.referencesOf(owner.name);
  const call = only && file.parentOf(only);
  return more.length === 0 && call?.type === 'CallExpression' && call.callee === only && isAtTop(file, call);
}

function isAtTop(file: SourceFile, node: Syntax): boolean {
  for (let outer = file.parentOf(node); outer; outer = file.parentOf(outer)) {
    if (isFunction(outer) || isLoop(outer)) return false;
  }
  return true;
}

function isLoop({ type }: Syntax): boolean {
  return /^(For|While|DoWhile)\w*Statement$/.test(type);
}

/**
 * True for an expression that reads a parameter of these functions, or the variable of a loop, also through their
 * variables. What a method reads of `this` may differ with each object.
 */
export function readsParameters(
  file: SourceFile,
  node: Syntax,
  functions: readonly Syntax[],
  seen: Set<string> = new Set(),
): boolean {
  if (functions.length === 0) return false;
  return namesIn(node).some((name) => {
    if (name.type === 'ThisExpression') return true;
    if (seen.has(name.name) || !file.referencesOf(name.name).includes(name)) return false;
    seen.add(name.name);
    return file.declarationsOf(name.name).some((declaration) => {
      const around = functions.filter((fn) => isIn(declaration, fn));
      if (around.some((fn) => !isIn(declaration, fn.body))) return true;
      const init = around.length === 0 ? undefined : initOf(file, declaration);
      return init !== undefined && readsParameters(file, init, functions, seen);
    });
  });
}

/** What a variable is made of: `options` of `const { max } = options`. */
function initOf(file: SourceFile, declaration: Syntax): Syntax | undefined {
  let outer: Syntax | undefined = declaration;
  while (outer && /Identifier|Property|Pattern|Element/.test(outer.type)) outer = file.parentOf(outer);
  return outer?.type === 'VariableDeclarator' ? ((outer.init as Syntax | null) ?? undefined) : undefined;
}

/** True for a part of a program that needs no name of its file, so that another file may have it too. */
export function isClosed(file: SourceFile, part: Syntax | undefined): boolean {
  if (!part) return false;
  const parameters = (part.params ?? []) as Syntax[];
  return namesIn(part).every(({ type, name }) => {
    if (type === 'ThisExpression') return false;
    const declared = file.declarationsOf(name as string);
    // A parameter hides what others have of its name.
    const isOwn = declared.some((declaration) => parameters.some((parameter) => isIn(declaration, parameter)));
    return isOwn || declared.every((declaration) => isIn(declaration, part));
  });
}

function namesIn(node: Syntax): Syntax[] {
  const found: Syntax[] = [];
  const waiting = [node];
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    if (each.type === 'Identifier' || each.type === 'ThisExpression') found.push(each);
    waiting.push(...childrenOf(each));
  }
  return found;
}

/** True for a limit that is called where it is made: `limitOf(plan)(request, response, next)`. */
export function isCalledInPlace(file: SourceFile, call: Syntax): boolean {
  const parent = file.parentOf(call);
  if (parent?.type === 'CallExpression' && bare(parent.callee) === call) return true;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return false;
  const [fn] = repeatedFunctionsAround(file, call);
  if (!fn) return false;
  return file.referencesOf(parent.id.name as string).some((reference) => {
    const outer = file.parentOf(reference);
    const isCalled = outer?.type === 'CallExpression' && outer.callee === reference;
    return isCalled && repeatedFunctionsAround(file, reference)[0] === fn;
  });
}

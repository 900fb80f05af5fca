/** A node of the syntax tree, in the form of ESTree. */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each of some 200 types of nodes has fields of its own
  readonly [field: string]: any;
}

const TYPED = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSTypeAssertion']);

/** An expression without what only the compiler of TypeScript reads, and without the marks of `?.`. */
export function bare(node: Syntax): Syntax {
  let inner = node;
  while (TYPED.has(inner.type) || inner.type === 'ChainExpression') inner = inner.expression;
  return inner;
}

/** True for a node, and false for its other fields. */
export function isSyntax(value: unknown): value is Syntax {
  return typeof (value as Partial<Syntax> | null)?.type === 'string' && 'start' in (value as object);
}

/** The nodes in a node, in the order of its fields. */
export function childrenOf(node: Syntax): Syntax[] {
  return Object.entries(node)
    .filter(([field]) => !field.endsWith('omments') && field !== 'loc' && field !== 'extra')
    .flatMap(([, value]) => value as unknown)
    .filter(isSyntax);
}

/** The name of a property, a member or a method that is written in the program: undefined for `[computed]`. */
export function nameOf(node: Syntax): string | undefined {
  const key = bare((node.property ?? node.key) as Syntax);
  if (key.type === 'Literal') return String(key.value);
  return node.computed || key.type !== 'Identifier' ? undefined : key.name;
}

/** The function that a node is: an arrow, an expression or a declaration. */
export function isFunction({ type }: Syntax): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';
}

/** `return` of a body with one statement, or the expression of an arrow. */
export function returnedBy({ body }: Syntax): Syntax | undefined {
  if (body.type !== 'BlockStatement') return bare(body);
  const [only, ...more] = body.body as Syntax[];
  return only?.type === 'ReturnStatement' && more.length === 0 && only.argument ? bare(only.argument) : undefined;
}

/** True for a part of another node. */
export function isIn(node: Syntax, outer: Syntax): boolean {
  return outer.start <= node.start && node.end <= outer.end;
}

/** What a function can return: the expression of an arrow, or those of its own `return` statements. */
export function resultsOf(fn: Syntax): Syntax[] {
  if (fn.body.type !== 'BlockStatement') return [bare(fn.body)];
  const results: Syntax[] = [];
  const waiting = [fn.body as Syntax];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'ReturnStatement' && node.argument) results.push(bare(node.argument));
    waiting.push(...childrenOf(node).filter((child) => !isFunction(child)));
  }
  return results;
}

import { parse, type Chunk, type FunctionDeclaration, type Identifier, type Node, type Statement } from 'luaparse';

/** What scripts of Redis have from the beginning. */
const GIVEN = new Set([
  'redis',
  'KEYS',
  'ARGV',
  'math',
  'table',
  'struct',
  'tonumber',
  'type',
  'error',
  'next',
  'pairs',
  'ipairs',
  'unpack',
]);
/** Lua itself holds so many of a loop. */
const OF_NUMERIC_LOOP = 3;
const OF_GENERIC_LOOP = 3;

/** The most locals that live at once outside of functions. */
export function localsOf(source: string): number {
  return localsIn(parsed(source).body);
}

/** The most locals of enclosing functions that one function uses. */
export function mostUpvaluesOf(source: string): number {
  return functionsIn(parsed(source)).reduce((most, each) => Math.max(most, upvaluesOf(each)), 0);
}

/** The names that are neither local nor of Redis. */
export function unknownNamesOf(source: string): readonly string[] {
  const { globals = [] } = parsed(source) as Chunk & { globals?: readonly Identifier[] };
  return globals.map(({ name }) => name).filter((name) => !GIVEN.has(name));
}

const chunks = new Map<string, Chunk>();

function parsed(source: string): Chunk {
  const known = chunks.get(source);
  if (known !== undefined) return known;
  const chunk = parse(source, { luaVersion: '5.1', comments: false, scope: true, encodingMode: 'pseudo-latin1' });
  chunks.set(source, chunk);
  return chunk;
}

function localsIn(statements: readonly Statement[]): number {
  let [own, most] = [0, 0];
  for (const statement of statements) {
    most = Math.max(most, own + localsWithin(statement));
    if (statement.type === 'LocalStatement') own += statement.variables.length;
    if (statement.type === 'FunctionDeclaration' && statement.isLocal) own += 1;
  }
  return Math.max(own, most);
}

function localsWithin(statement: Statement): number {
  switch (statement.type) {
    case 'IfStatement':
      return Math.max(...statement.clauses.map(({ body }) => localsIn(body)));
    case 'ForNumericStatement':
      return OF_NUMERIC_LOOP + 1 + localsIn(statement.body);
    case 'ForGenericStatement':
      return OF_GENERIC_LOOP + statement.variables.length + localsIn(statement.body);
    case 'DoStatement':
    case 'WhileStatement':
    case 'RepeatStatement':
      return localsIn(statement.body);
    default:
      return 0;
  }
}

/** Names count once. A local of the function that hides one from outside is not told apart. */
function upvaluesOf(node: FunctionDeclaration): number {
  const [used, own] = [new Set<string>(), new Set<string>()];
  visit({ type: 'Chunk', body: node.body }, (each) => {
    if (each.type === 'Identifier' && (each as Identifier & { isLocal?: boolean }).isLocal) used.add(each.name);
    for (const { name } of declaredBy(each)) own.add(name);
  });
  for (const { name } of declaredBy(node)) own.add(name);
  return [...used].filter((name) => !own.has(name)).length;
}

function declaredBy(node: Node): readonly Identifier[] {
  switch (node.type) {
    case 'FunctionDeclaration':
      return node.parameters.filter((each) => each.type === 'Identifier');
    case 'LocalStatement':
    case 'ForGenericStatement':
      return node.variables;
    case 'ForNumericStatement':
      return [node.variable];
    default:
      return [];
  }
}

function functionsIn(chunk: Chunk): readonly FunctionDeclaration[] {
  const found: FunctionDeclaration[] = [];
  visit(chunk, (node) => {
    if (node.type === 'FunctionDeclaration') found.push(node);
  });
  return found;
}

function visit(node: Node, call: (node: Node) => void): void {
  call(node);
  for (const value of Object.values(node) as unknown[]) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each, call);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

import { importsOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, isIn, nameOf, resultsOf, returnedBy, type Syntax } from '../source/syntax.js';

/** Options of `createClient` before version 4, whose commands are sent in another way. */
const OLD =
  /^(host|port|auth_pass|retry_strategy|enable_offline_queue|return_buffers|detect_buffers|no_ready_check|tls)$/;

/** A client of Redis in a program. */
export interface FoundClient {
  /** What the program calls it. */
  readonly client: Syntax;
  readonly kind: 'ioredis' | 'node-redis';
}

/** The client in a function that sends commands: `(...args) => client.call(...args)`. */
export function clientOfSender(file: SourceFile, sender: Syntax): FoundClient | undefined {
  const fn = file.valueOf(bare(sender));
  if (!fn || !isFunction(fn)) return undefined;
  const sent = returnedBy(fn);
  const call = sent?.type === 'AwaitExpression' ? bare(sent.argument) : sent;
  if (call?.type !== 'CallExpression' || bare(call.callee).type !== 'MemberExpression') return undefined;
  const { object } = bare(call.callee);
  const method = nameOf(bare(call.callee));
  if (method === 'call') return { client: object, kind: 'ioredis' };
  return method === 'sendCommand' ? { client: object, kind: 'node-redis' } : undefined;
}

/** The client behind an object with the methods of a store: `{ evalsha: (sha, keys, args) => client.evalsha(…) }`. */
export function clientOfAdapter(file: SourceFile, adapter: Syntax): FoundClient | undefined {
  const object = file.valueOf(adapter);
  const method = optionIn(object, 'evalsha') ?? optionIn(object, 'evalSha');
  const callee = file
    .nodesOf('CallExpression')
    .filter((call) => method && isIn(call, method))
    .map((call) => bare(call.callee as Syntax))
    .find((each) => each.type === 'MemberExpression' && /^evalsha$/i.test(nameOf(each) ?? ''));
  if (!callee) return undefined;
  return { client: callee.object as Syntax, kind: nameOf(callee) === 'evalsha' ? 'ioredis' : 'node-redis' };
}

/** The text of the store for a client. */
export function redisStoreText(client: string, kind: FoundClient['kind']): string {
  return kind === 'ioredis'
    ? `redisStore(${client})`
    : `redisStore(clientOf({ send: (command) => ${client}.sendCommand([...command]) }))`;
}

/** What a program tells of a client. */
interface SeenClient {
  readonly kind: FoundClient['kind'];
  /** True for one of node-redis before version 4. */
  readonly isOld: boolean;
}

/** Functions that return a client call few others for it. */
const DEEPEST = 3;

/** What makes a client, or the type that it is declared with. */
export function clientSeen(file: SourceFile, client: Syntax, depth = 0): SeenClient | undefined {
  const node = bare(client.type === 'AwaitExpression' ? client.argument : client);
  if (depth > DEEPEST) return undefined;
  const origin = file.originOf(node);
  const assigned = file
    .nodesOf('AssignmentExpression')
    .filter(({ left }) => node.type === 'Identifier' && left.name === node.name)
    .map(({ right }) => madeBy(file, bare(right as Syntax), depth));
  const made = [origin && madeBy(origin.file, origin.node, depth), ...assigned].filter((each) => each !== undefined);
  const [first = typeSeen(file, node)] = made;
  return made.every(({ kind }) => kind === first?.kind) ? first : undefined;
}

/** `new Redis()`, `createClient()`, or a call of a function that returns a client. */
function madeBy(file: SourceFile, made: Syntax, depth: number): SeenClient | undefined {
  const node = bare(made.type === 'AwaitExpression' ? made.argument : made);
  if (node.type === 'NewExpression') {
    const callee = bare(node.callee as Syntax);
    const name = callee.type === 'MemberExpression' ? nameOf(callee) : (callee.name as string);
    return /redis|cluster|valkey/i.test(name ?? '') ? { kind: 'ioredis', isOld: false } : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  if (/createClient|createCluster/.test(file.textOf(node.callee as Syntax)))
    return { kind: 'node-redis', isOld: hasOldOptions(node.arguments as Syntax[]) };
  const found = file.functionOf(node.callee as Syntax);
  if (!found) return undefined;
  const { fn } = found;
  const byType = fn.returnType && typeIn(found.file, fn.returnType as Syntax);
  return byType ?? resultsOf(fn).flatMap((result) => clientSeen(found.file, result, depth + 1) ?? [])[0];
}

/** The type of a variable, a parameter or a field: `private readonly redis: Redis`. */
function typeSeen(file: SourceFile, node: Syntax): SeenClient | undefined {
  const isField = node.type === 'MemberExpression' && bare(node.object as Syntax).type === 'ThisExpression';
  const name = isField ? nameOf(node) : (node.name as string | undefined);
  const fields = isField
    ? file.nodesOf('PropertyDefinition', 'ClassProperty').filter((each) => nameOf(each) === name)
    : [];
  const declared = name === undefined ? [] : [...file.declarationsOf(name), ...fields];
  return declared.flatMap(({ typeAnnotation }) => (typeAnnotation && typeIn(file, typeAnnotation as Syntax)) ?? [])[0];
}

/** What a type tells, by the module that it is from. */
function typeIn(file: SourceFile, type: Syntax): SeenClient | undefined {
  const names: readonly string[] = file.textOf(type).match(/[\w$]+/g) ?? [];
  const found = importsOf(file, ['ioredis', 'redis', '@redis/client']).find(({ local }) => names.includes(local ?? ''));
  if (!found) return undefined;
  const isOld = found.module !== 'ioredis' && names.includes('RedisClient');
  return { kind: found.module === 'ioredis' ? 'ioredis' : 'node-redis', isOld };
}

/** True for the arguments of `createClient` before version 4, as far as they tell. */
function hasOldOptions([options, ...more]: readonly Syntax[]): boolean {
  const properties = (options?.type === 'ObjectExpression' ? options.properties : []) as Syntax[];
  const isOld = (each: Syntax) => each.type === 'Property' && OLD.test(nameOf(each) ?? '');
  // Before version 4 a port and a host are arguments too.
  const isPort = options?.type === 'Literal' && typeof options.value === 'number';
  return more.length > 0 || isPort || properties.some(isOld);
}

/** The value of an option in the object that a constructor gets. */
export function optionIn(object: Syntax | undefined, name: string): Syntax | undefined {
  const properties = (object?.type === 'ObjectExpression' ? object.properties : []) as Syntax[];
  const found = properties.find((each) => each.type === 'Property' && nameOf(each) === name);
  return found && bare(found.value);
}

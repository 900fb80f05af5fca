import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, isIn, nameOf, returnedBy, type Syntax } from '../source/syntax.js';

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

/** Whether a client is of ioredis, where its file tells. */
export function kindOfClient(file: SourceFile, client: Syntax): FoundClient['kind'] | undefined {
  const origin = file.originOf(client);
  const made = origin?.node === bare(client) ? undefined : origin?.node;
  if (made?.type === 'NewExpression') {
    const callee = bare(made.callee);
    const name = callee.type === 'MemberExpression' ? nameOf(callee) : (callee.name as string);
    return /redis|cluster|valkey/i.test(name ?? '') ? 'ioredis' : undefined;
  }
  const call = made?.type === 'AwaitExpression' ? bare(made.argument) : made;
  const text = call?.type === 'CallExpression' ? origin!.file.textOf(call.callee as Syntax) : '';
  return /createClient|createCluster/.test(text) ? 'node-redis' : undefined;
}

/** True for a client of node-redis before version 4, as far as its options tell. */
export function isOldClient(file: SourceFile, client: Syntax): boolean {
  const made = file.originOf(client)?.node;
  const call = made?.type === 'AwaitExpression' ? bare(made.argument) : made;
  const [options] = (call?.type === 'CallExpression' ? call.arguments : []) as Syntax[];
  const properties = (options?.type === 'ObjectExpression' ? options.properties : []) as Syntax[];
  const isOld = (each: Syntax) => each.type === 'Property' && OLD.test(nameOf(each) ?? '');
  // Before version 4 a port and a host are arguments too.
  return (
    call?.arguments?.length > 1 ||
    (options?.type === 'Literal' && typeof options.value === 'number') ||
    properties.some(isOld)
  );
}

/** The value of an option in the object that a constructor gets. */
export function optionIn(object: Syntax | undefined, name: string): Syntax | undefined {
  const properties = (object?.type === 'ObjectExpression' ? object.properties : []) as Syntax[];
  const found = properties.find((each) => each.type === 'Property' && nameOf(each) === name);
  return found && bare(found.value);
}

import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, returnedBy, type Syntax } from '../source/syntax.js';

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

/** The value of an option in the object that a constructor gets. */
export function optionIn(object: Syntax | undefined, name: string): Syntax | undefined {
  const properties = (object?.type === 'ObjectExpression' ? object.properties : []) as Syntax[];
  const found = properties.find((each) => each.type === 'Property' && nameOf(each) === name);
  return found && bare(found.value);
}

import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';

export interface ServerCommand {
  /** In lower case. */
  name: string;
  arguments: string[];
  /** Called by a script. */
  scripted: boolean;
}

const last = 'that was all';

/** The commands of a server while an action runs, in order, including those of scripts. */
export async function commandsDuring(server: { readonly port: number }, act: () => unknown): Promise<ServerCommand[]> {
  const client = new Redis(server.port);
  await client.ping();
  const socket = connect(server.port, '127.0.0.1');
  try {
    const lines = linesOf(socket);
    socket.write('MONITOR\r\n');
    // The server confirms MONITOR.
    await lines.next();
    await act();
    const marked = client.echo(last);
    const commands: ServerCommand[] = [];
    for await (const line of lines) {
      const command = parse(line);
      if (command.arguments[0] === last) break;
      commands.push(command);
    }
    await marked;
    return commands;
  } finally {
    socket.destroy();
    client.disconnect();
  }
}

function linesOf(socket: Socket): AsyncIterator<string> & AsyncIterable<string> {
  return createInterface({ input: socket })[Symbol.asyncIterator]();
}

/** `+1795262818.367883 [0 lua] "get" "key"` */
function parse(line: string): ServerCommand {
  const [name = '', ...args] = Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"/g), (match) => match[1] ?? '');
  return { name: name.toLowerCase(), arguments: args, scripted: /^\S+ \[\d+ lua\]/.test(line) };
}

const writes = new Set([
  'set',
  'setrange',
  'incr',
  'incrby',
  'decrby',
  'rpush',
  'lpush',
  'lpop',
  'ltrim',
  'lrem',
  'zadd',
  'zrem',
  'zremrangebyscore',
  'hset',
  'hdel',
  'pexpireat',
  'del',
  'unlink',
]);

/** The writing commands of scripts. */
export function writesIn(commands: readonly ServerCommand[]): string[][] {
  return commands
    .filter(({ name, scripted }) => scripted && writes.has(name))
    .map((each) => [each.name, ...each.arguments]);
}

export function namesIn(commands: readonly ServerCommand[]): string[] {
  return commands.map(({ name }) => name);
}

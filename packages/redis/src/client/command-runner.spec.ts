import { Cluster, Redis } from 'ioredis';
import { Redis as Valkey } from '../../../../test/support/iovalkey.js';
import { Redis as Redis5 } from '../../../../test/support/ioredis-5.js';
import { ManualClient } from '../../../../test/support/manual-client.js';
import { claim } from '../../../../test/support/claim.js';
import { generalScript } from '../../../core/src/scripts/general-scripts.js';
import { commandRunner } from './command-runner.js';
import type { RedisClient } from './redis-client.js';

const call = { script: generalScript('consume', [claim().policy]), keys: ['a', 'b'], args: [1, 'two'] };

type Sent = { readonly name: string; readonly args: readonly unknown[]; readonly constructor: unknown };

/** The command that a client gets for a call, and how often its own methods were called. */
function sentBy(
  client: RedisClient & { disconnect(): void },
  by: 'sha' | 'source' = 'sha',
): { command: Sent; byMethod: number } {
  const [commands, methods]: [Sent[], string[]] = [[], []];
  const record = async (command: Sent) => void commands.push(command);
  const byMethod = async () => void methods.push('evalsha');
  const own = { evalsha: byMethod, evalshaBuffer: byMethod, eval: byMethod, evalBuffer: byMethod };
  Object.assign(client, { sendCommand: record, ...own });
  void commandRunner(client)(call, by);
  client.disconnect();
  return { command: commands[0]!, byMethod: methods.length };
}

const settings = { lazyConnect: true };

describe('commandRunner', () => {
  it.each<[string, () => object]>([
    ['ioredis 6', () => new Redis(settings)],
    ['ioredis 5', () => new Redis5(settings)],
    ['iovalkey', () => new Valkey(settings)],
    ['a subclass', () => new (class extends Redis {})(settings)],
    ['a Cluster', () => new Cluster([], settings)],
    ['a client with automatic pipelines', () => new Redis({ ...settings, enableAutoPipelining: true })],
  ])('sends a command of the package of the client: %s', (_name, create) => {
    const { command, byMethod } = sentBy(create() as never);

    expect([command.name, command.args, byMethod]).toEqual([
      'evalsha',
      [(call.script.packed ?? call.script).sha, '2', 'a', 'b', '1', 'two'],
      0,
    ]);
  });

  it('sends a script by its text in the same way, so that no call by SHA-1 overtakes it', () => {
    const { command, byMethod } = sentBy(new Redis({ ...settings, enableAutoPipelining: true }), 'source');

    expect([command.name, command.args[0], byMethod]).toEqual(['eval', call.script.packed!.source, 0]);
  });

  it.each([
    ['a text', 'app:'],
    ['bytes', Buffer.from('app:')],
  ])('writes the prefix of the keys of a client before them: %s', (_what, keyPrefix) => {
    const { command, byMethod } = sentBy(new Redis({ ...settings, keyPrefix: keyPrefix as string }));

    expect([command.args.slice(1).map(String), byMethod]).toEqual([['2', 'app:a', 'app:b', '1', 'two'], 0]);
  });

  it('calls a method of any other client', () => {
    const client = new ManualClient();

    void commandRunner(client)(call, 'sha');

    expect(client.last).toMatchObject({ command: 'evalsha', script: call.script.sha, keys: call.keys });
  });
});

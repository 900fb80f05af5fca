import { scriptRunner, type ScriptCall } from '../../packages/redis/src/client/run-script.js';
import type { CallRequest } from '../../packages/redis/src/connection/call.js';
import { Connection } from '../../packages/redis/src/connection/connection.js';
import { Deadline } from '../../packages/redis/src/connection/deadline.js';
import { ManualClient, type Sent } from './manual-client.js';

/** A connection to a client that a test controls, with a deadline of 50 ms. */
export interface ManualConnection {
  readonly client: ManualClient;
  readonly connection: Connection;
  /** How the calls ended, in order: `answered` and the reply, or the message of the error. */
  readonly ends: string[];
  /** Sends a call. Returns the last command that the client received. */
  readonly send: (request?: Partial<ScriptCall & CallRequest>) => Sent;
}

export function manualConnection(client = new ManualClient(), deadline = 50): ManualConnection {
  const script = { sha: 'sha', source: 'source' };
  const probe = { script, keys: [], args: [] };
  const [run, connectDeadline] = [scriptRunner(client), 2_000];
  const connection = new Connection(client, { run, deadline: new Deadline(deadline), connectDeadline, probe });
  const ends: string[] = [];
  const send = ({ keys = ['rl:{abcdef}:hour:fw000'], ...request }: Partial<ScriptCall & CallRequest> = {}) => {
    const call = { script: request.script ?? script, keys, args: [] };
    const decode = (reply: unknown) => reply;
    const resolve = (reply: unknown) => void ends.push(`answered ${String(reply)}`);
    const reject = ({ message }: Error) => void ends.push(message);
    connection.send({ encode: () => call, groups: 1, decode, resolve, reject, ...request }, performance.now());
    return client.last;
  };
  return { client, connection, ends, send };
}

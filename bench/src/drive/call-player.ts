import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { load } from '../contestants/limits/script.js';
import { command } from './recording-client.js';

/** Commands of so many checks each. */
export interface RecordedCalls {
  readonly commands: readonly Buffer[];
  readonly size: number;
}

const INCREMENT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;
const DAY = 86_400_000;

/** Sends recorded calls as fast as Redis takes them, and reads none of their replies. */
export class CallPlayer {
  readonly #socket: Socket;
  readonly #port: number;

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
  }

  static async connect(port: number): Promise<CallPlayer> {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    await once(socket, 'connect');
    return new CallPlayer(socket, port);
  }

  /** Calls of a script that increments a key each. */
  async increments(keys: number): Promise<RecordedCalls> {
    const client = new Redis({ port: this.#port, host: '127.0.0.1' });
    const sha = await load(client, INCREMENT);
    client.disconnect();
    const commands = Array.from({ length: keys }, (_, key) => command(['EVALSHA', sha, 1, `incremented:${key}`, DAY]));
    return { commands, size: 1 };
  }

  /** Sends the calls again and again for a time. Returns the number of their checks. */
  async play({ commands, size }: RecordedCalls, milliseconds: number): Promise<number> {
    const all = Buffer.concat(commands);
    const end = performance.now() + milliseconds;
    let played = 0;
    do {
      await this.#send(all);
      played += commands.length * size;
    } while (performance.now() < end);
    return played;
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Resolves when all replies have come: that of an ECHO is the last. */
  #send(commands: Buffer): Promise<void> {
    const mark = randomUUID();
    return new Promise((resolve, reject) => {
      let tail = '';
      const onData = (data: Buffer) => {
        tail = (tail + data.subarray(-100).toString('latin1')).slice(-100);
        if (!tail.includes(mark)) return;
        this.#socket.off('data', onData).off('error', reject);
        resolve();
      };
      this.#socket.on('data', onData).once('error', reject);
      this.#socket.write(Buffer.concat([commands, command(['ECHO', mark])]));
    });
  }
}

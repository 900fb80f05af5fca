import { EventEmitter } from 'node:events';
import type { RedisClient, RedisNode } from '../../packages/redis/src/index.js';
import { scripts } from '../../packages/core/src/scripts/scripts.js';

/** A command that waits for a reply of the test. */
export interface Sent {
  readonly command: 'evalsha' | 'eval';
  /** The SHA-1, or the text. */
  readonly script: string;
  readonly keys: readonly string[];
  reply(value: unknown): void;
  fail(error: Error): void;
}

/** A client without a connection: the test controls its status and every reply. */
export class ManualClient extends EventEmitter implements RedisClient {
  readonly sent: Sent[] = [];
  status: string;
  connects = 0;
  evictionLooks = 0;
  isCluster = false;
  slots: (readonly string[])[] = [];
  manualNodes: ManualNode[] = [];

  constructor(status = 'ready') {
    super();
    this.status = status;
  }

  nodes(): RedisNode[] {
    return this.manualNodes;
  }

  evalsha(sha: string, numberOfKeys: number, ...rest: (string | number)[]): Promise<unknown> {
    return this.#send('evalsha', sha, rest.slice(0, numberOfKeys));
  }

  eval(source: string, numberOfKeys: number, ...rest: (string | number)[]): Promise<unknown> {
    // The eviction check gets an empty reply.
    if (source === scripts.eviction.source) {
      this.evictionLooks += 1;
      return Promise.resolve([]);
    }
    return this.#send('eval', source, rest.slice(0, numberOfKeys));
  }

  connect(): Promise<void> {
    this.connects += 1;
    this.status = 'connecting';
    return Promise.resolve();
  }

  /** Changes the status, and emits it. */
  become(status: 'ready' | 'close' | 'end' | 'reconnecting'): void {
    this.status = status;
    this.emit(status);
  }

  /** The last command. */
  get last(): Sent {
    return this.sent.at(-1)!;
  }

  #send(command: Sent['command'], script: string, keys: readonly (string | number)[]): Promise<unknown> {
    return new Promise((reply, fail) => {
      this.sent.push({ command, script, keys: keys.map(String), reply, fail });
    });
  }
}

/** A client of a node of a Cluster. */
export class ManualNode extends ManualClient implements RedisNode {
  readonly options: { host: string; port: number };

  constructor(port: number, status = 'ready') {
    super(status);
    this.options = { host: '127.0.0.1', port };
  }
}

/** An error reply, as ioredis reports it. */
export function replyError(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

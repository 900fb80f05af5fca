import type { RedisClient } from '../../../packages/redis/src/client/redis-client.js';
import { ErrorReply, StatusReply, type Reply } from '../redis/reply.js';
import type { SimServer } from '../redis/sim-server.js';
import { SimConnection, type Link } from './link.js';
import type { SimProcess } from './sim-process.js';

type Listener = () => void;
type ScriptReply = Promise<unknown>;
type Arguments = (string | number)[];

/** A call of a script. */
export interface SentScript {
  readonly by: 'sha' | 'source';
  readonly script: string;
  /** How many of `rest` are keys. */
  readonly keys: number;
  readonly rest: readonly (string | number)[];
  /** Texts of the reply are bytes. */
  readonly isBytes: boolean;
}

export interface ClientOptions {
  readonly process: SimProcess;
  readonly link: Link;
  /** The server that it connects to next: another one after a failover. */
  readonly serverOf: () => SimServer;
  /** Returns texts of replies as bytes, as ioredis can. */
  readonly takesBytes: boolean;
  /** Of a node of a Cluster. */
  readonly port?: number;
}

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
const NOT_READY = "Stream isn't writeable and enableOfflineQueue options is false";

/** A client as ioredis is with the settings of a store: no command waits or is sent twice. */
export class SimClient implements RedisClient {
  status = 'connecting';
  /** When its process has read a reply last, in simulated milliseconds. */
  repliedAt = -Infinity;
  readonly options: { readonly host: string; readonly port: number };
  readonly evalshaBuffer?: NonNullable<RedisClient['evalshaBuffer']>;
  readonly evalBuffer?: NonNullable<RedisClient['evalBuffer']>;
  readonly #options: ClientOptions;
  readonly #listeners = new Map<string, Listener[]>();
  #connection: SimConnection | undefined;
  #attempts = 0;
  #isEnded = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.options = { host: 'redis', port: options.port ?? 0 };
    if (options.takesBytes) {
      this.evalshaBuffer = (script, keys, ...rest) => this.send({ by: 'sha', script, keys, rest, isBytes: true });
      this.evalBuffer = (script, keys, ...rest) => this.send({ by: 'source', script, keys, rest, isBytes: true });
    }
    this.#connect();
  }

  /** The server that it is connected to. */
  get server(): SimServer | undefined {
    return this.#connection?.server;
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  evalsha(script: string, keys: number, ...rest: Arguments): ScriptReply {
    return this.send({ by: 'sha', script, keys, rest, isBytes: false });
  }

  eval(script: string, keys: number, ...rest: Arguments): ScriptReply {
    return this.send({ by: 'source', script, keys, rest, isBytes: false });
  }

  /** @param isAsking another primary has sent this command here */
  send({ by, script, keys, rest, isBytes }: SentScript, isAsking = false): ScriptReply {
    const connection = this.#connection;
    if (this.status !== 'ready' || connection === undefined) return Promise.reject(new Error(NOT_READY));
    const texts = rest.map((each) => bytesOf(String(each)));
    return new Promise((resolve, reject) => {
      connection.send(
        { by, script, keys: texts.slice(0, keys), args: texts.slice(keys), isAsking },
        {
          settle: (reply) => {
            this.repliedAt = this.#options.process.world.now;
            if (reply instanceof ErrorReply) reject(Object.assign(new Error(reply.text), { name: 'ReplyError' }));
            else resolve(valueOf(reply, isBytes));
          },
          fail: (reason) => reject(new Error(reason)),
        },
      );
    });
  }

  resetConnection(): void {
    this.drop();
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  /** The connection is lost: what is in flight fails. @param server only a connection to this one */
  drop(server = this.server): void {
    const connection = this.#connection;
    if (connection === undefined || connection.server !== server) return;
    this.#connection = undefined;
    const fail = connection.end();
    this.#options.process.deliver(() => {
      this.status = 'reconnecting';
      fail();
      this.#emit('close');
      this.#connectLater();
    });
  }

  end(): void {
    this.#isEnded = true;
    const fail = this.#connection?.end();
    this.#connection = undefined;
    this.status = 'end';
    // A process that has died hears nothing.
    if (this.#options.process.isDead) return;
    fail?.();
    this.#emit('end');
  }

  #connect(): void {
    const { process, link, serverOf } = this.#options;
    const { world } = process;
    if (this.#isEnded || process.isDead) return;
    this.status = 'connecting';
    const server = serverOf();
    const arrivesAt = link.arrival(true);
    const isLate = arrivesAt - world.now > CONNECT_TIMEOUT_MS;
    world.at(isLate ? world.now + CONNECT_TIMEOUT_MS : arrivesAt, () => {
      const isRefused = isLate || server.isDown || server !== serverOf() || server.stalledUntil > world.now;
      process.deliver(() => (isRefused ? this.#onRefused() : this.#onConnected(server)));
    });
  }

  #onRefused(): void {
    if (this.#isEnded) return;
    this.status = 'reconnecting';
    this.#emit('close');
    this.#connectLater();
  }

  #onConnected(server: SimServer): void {
    if (this.#isEnded) return;
    const { process, link } = this.#options;
    // It has failed in the meantime.
    if (server.isDown || server.problem?.startsWith('LOADING')) {
      this.#onRefused();
      return;
    }
    this.#attempts = 0;
    this.#connection = new SimConnection(link, server, (act) => process.deliver(act));
    this.status = 'ready';
    this.#emit('ready');
  }

  #connectLater(): void {
    const { process } = this.#options;
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.#attempts, MAX_RETRY_MS) + process.random() * 200;
    this.#attempts += 1;
    process.world.after(pause, () => process.deliver(() => this.#connect()));
  }

  #emit(event: string): void {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }
}

/** The bytes of a text, one character each. */
function bytesOf(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all that is not ASCII
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

function valueOf(reply: Reply, isBytes: boolean): unknown {
  if (typeof reply === 'string') {
    const bytes = Buffer.from(reply, 'latin1');
    return isBytes ? bytes : bytes.toString('utf8');
  }
  if (reply instanceof StatusReply || reply instanceof ErrorReply) return reply.text;
  return Array.isArray(reply) ? reply.map((each) => valueOf(each as Reply, isBytes)) : reply;
}

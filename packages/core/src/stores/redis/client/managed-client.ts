import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { nameOf, type RedisClient, type RedisNode } from './redis-client.js';

/** What the clients of ioredis have in common. */
export interface IoredisClient extends Omit<RedisClient, 'on'> {
  readonly status: string;
  connect(): Promise<unknown>;
  disconnect(): void;
  /** Of a Cluster: asks who holds which slots. */
  refreshSlotsCache?(): void;
  nodes?(): Node[];
  readonly stream?: Stream | undefined;
  on(event: string, listener: (detail: Error & { readonly lastNodeError?: Error }) => void): unknown;
}

/** The socket of a connection. */
interface Stream {
  destroy(reason: Error): void;
}

interface Node extends RedisNode {
  readonly stream?: Stream | undefined;
}

/** Milliseconds that the nodes of a Cluster are waited for, and that a client is left ended. */
const MOMENT = 100;

/** A client that is the store's own to end. It is there before ioredis is, which is loaded when somebody connects. */
export class ManagedClient extends EventEmitter implements RedisClient {
  readonly isCluster: boolean;
  /** Why it is not ready. */
  trouble: Error | undefined;
  #connection: IoredisClient | undefined;
  #ready = false;
  #failed = false;
  #ended = false;
  #end: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  readonly #opened: Promise<void>;

  constructor(open: () => Promise<IoredisClient>, isCluster: boolean) {
    super();
    this.isCluster = isCluster;
    this.#opened = this.#open(open);
  }

  get status(): string {
    if (this.#failed) return 'end';
    const { status = 'connecting' } = this.#connection ?? {};
    return status === 'ready' && !this.#ready ? 'connecting' : status;
  }

  get slots(): readonly (readonly string[])[] {
    return this.#connection?.slots ?? [];
  }

  nodes(): Node[] {
    return this.#connection?.nodes?.() ?? [];
  }

  refreshSlotsCache(): void {
    this.#connection?.refreshSlotsCache?.();
  }

  hangUp(name?: string): void {
    const connection = name === undefined ? this.#connection : this.nodes().find((node) => nameOf(node) === name);
    connection?.stream?.destroy(new Error('the connection has gone silent'));
  }

  evalsha(...call: Parameters<RedisClient['evalsha']>): Promise<unknown> {
    return this.#connection!.evalsha(...call);
  }

  eval(...call: Parameters<RedisClient['eval']>): Promise<unknown> {
    return this.#connection!.eval(...call);
  }

  evalshaBuffer(...call: Parameters<RedisClient['evalsha']>): Promise<unknown> {
    return this.#connection!.evalshaBuffer!(...call);
  }

  evalBuffer(...call: Parameters<RedisClient['eval']>): Promise<unknown> {
    return this.#connection!.evalBuffer!(...call);
  }

  end(): Promise<void> {
    this.#end ??= this.#endOnce();
    return this.#end;
  }

  async #endOnce(): Promise<void> {
    this.#ended = true;
    await this.#opened;
    clearTimeout(this.#again);
    const connection = this.#connection;
    if (connection?.status !== 'ready') return connection?.disconnect();
    const closed = once(this, 'end');
    connection.disconnect();
    await closed;
  }

  async #open(open: () => Promise<IoredisClient>): Promise<void> {
    try {
      this.#connection = await open();
    } catch (error) {
      this.trouble = error as Error;
      this.#failed = true;
      this.emit('end');
      return;
    }
    const connection = this.#connection;
    // ioredis prints errors that nobody listens to, and tells a call that cannot be sent nothing of the reason.
    // A Cluster says that it failed, and one of its nodes why.
    connection.on('error', (error) => (this.trouble = error.lastNodeError ?? error));
    connection.on('ready', () => void this.#becomeReady());
    for (const event of ['close', 'end']) {
      connection.on(event, () => {
        this.#ready = false;
        this.emit(event);
      });
    }
    for (const event of ['+node', '-node']) connection.on(event, () => this.emit(event));
    connection.on('end', () => this.#connectAgain());
    this.#connect();
  }

  #connect(): void {
    if (!this.#ended) this.#connection?.connect().catch(() => undefined);
  }

  /** ioredis gives up for good when it hears of a failover in the moment in which it asks where to connect. */
  #connectAgain(): void {
    if (!this.#ended) this.#again = setTimeout(() => this.#connect(), MOMENT);
  }

  async #becomeReady(): Promise<void> {
    // A Cluster is ready when it knows its nodes, and refuses what is sent to one that is still connecting.
    if (this.isCluster) await Promise.race([this.#primariesConnected(), delay(MOMENT)]);
    if (this.#connection?.status !== 'ready') return;
    this.trouble = undefined;
    this.#ready = true;
    this.emit('ready');
  }

  async #primariesConnected(): Promise<void> {
    const names = new Set(this.slots.map(([name]) => name));
    const primaries = this.nodes().filter((node) => names.has(nameOf(node)));
    await Promise.all(primaries.map(connected));
  }
}

/** Resolves when a node has connected, or could not. */
async function connected(node: RedisNode): Promise<void> {
  if (!node.status.startsWith('connect')) return;
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'close', 'end']) node.on(event, resolve);
  });
}

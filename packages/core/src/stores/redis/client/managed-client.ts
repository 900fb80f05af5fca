import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeName, type RedisClient, type RedisNode } from './redis-client.js';
import type { Command, ScriptCommandClass } from './script-command.js';

/** The members that `Redis` and `Cluster` of ioredis share. */
export interface IoredisClient extends Omit<Required<RedisClient>, 'on' | 'nodes' | 'slots' | 'isCluster'> {
  readonly options: { readonly keyPrefix?: unknown };
  readonly slots?: readonly (readonly string[])[];
  readonly stream?: Socket | undefined;
  sendCommand(command: Command): Promise<unknown>;
  disconnect(): void;
  /** Of a Cluster: fetches the slots again. */
  refreshSlotsCache?(): void;
  nodes?(): IoredisNode[];
  on(event: string, listener: (detail: Error & { readonly lastNodeError?: Error }) => void): unknown;
}

interface IoredisNode extends RedisNode {
  readonly stream?: Socket | undefined;
}

interface Socket {
  destroy(reason: Error): void;
}

/** An ioredis client, and the class of the script commands that it sends. */
export interface OpenedClient {
  readonly client: IoredisClient;
  readonly ScriptCommand: ScriptCommandClass;
}

/** How long a client that becomes ready waits for the nodes of its Cluster. */
const NODES_TIMEOUT_MS = 100;
/** How long a client stays ended. */
const RECONNECT_DELAY_MS = 100;

/** A client that the store opens and ends. It exists before ioredis is loaded. */
export class ManagedClient extends EventEmitter implements RedisClient {
  readonly isCluster: boolean;
  /** Why the client is not ready. */
  lastError: Error | undefined;
  #client: IoredisClient | undefined;
  #ScriptCommand: ScriptCommandClass | undefined;
  #isReady = false;
  #hasFailed = false;
  #isEnded = false;
  #ending: Promise<void> | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  readonly #opening: Promise<void>;

  constructor(open: () => Promise<OpenedClient>, isCluster: boolean) {
    super();
    this.isCluster = isCluster;
    this.#opening = this.#open(open);
  }

  get status(): string {
    if (this.#hasFailed) return 'end';
    const { status = 'connecting' } = this.#client ?? {};
    return status === 'ready' && !this.#isReady ? 'connecting' : status;
  }

  get slots(): readonly (readonly string[])[] {
    return this.#client?.slots ?? [];
  }

  nodes(): IoredisNode[] {
    return this.#client?.nodes?.() ?? [];
  }

  refreshSlotsCache(): void {
    this.#client?.refreshSlotsCache?.();
  }

  /** Closes a connection, and ioredis opens a new one. @param name `host:port` of a node of a Cluster */
  resetConnection(name?: string): void {
    const client = name === undefined ? this.#client : this.nodes().find((node) => nodeName(node) === name);
    client?.stream?.destroy(new Error('the connection is silent'));
  }

  evalsha(...args: Parameters<RedisClient['evalsha']>): Promise<unknown> {
    return this.#evalsha('evalsha', args);
  }

  evalshaBuffer(...args: Parameters<RedisClient['evalsha']>): Promise<unknown> {
    return this.#evalsha('evalshaBuffer', args);
  }

  eval(...args: Parameters<RedisClient['eval']>): Promise<unknown> {
    return this.#client!.eval(...args);
  }

  evalBuffer(...args: Parameters<RedisClient['eval']>): Promise<unknown> {
    return this.#client!.evalBuffer(...args);
  }

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  #evalsha(method: 'evalsha' | 'evalshaBuffer', args: Parameters<RedisClient['evalsha']>): Promise<unknown> {
    const client = this.#client!;
    // A ScriptCommand has no prefix.
    if (client.options.keyPrefix) return client[method](...args);
    return client.sendCommand(new this.#ScriptCommand!(args, method === 'evalsha' ? 'utf8' : null));
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    await this.#opening;
    clearTimeout(this.#reconnectTimer);
    const client = this.#client;
    if (client?.status !== 'ready') return client?.disconnect();
    const ended = once(this, 'end');
    client.disconnect();
    await ended;
  }

  async #open(open: () => Promise<OpenedClient>): Promise<void> {
    try {
      const { client, ScriptCommand } = await open();
      this.#client = client;
      this.#ScriptCommand = ScriptCommand;
    } catch (error) {
      this.lastError = error as Error;
      this.#hasFailed = true;
      this.emit('end');
      return;
    }
    this.#listen(this.#client);
    this.#connect();
  }

  #listen(client: IoredisClient): void {
    // Without a listener ioredis prints errors. A Cluster reports only that it failed, and one of its nodes why.
    client.on('error', (error) => (this.lastError = error.lastNodeError ?? error));
    client.on('ready', () => void this.#onReady());
    for (const event of ['close', 'end']) {
      client.on(event, () => {
        this.#isReady = false;
        this.emit(event);
      });
    }
    for (const event of ['+node', '-node']) client.on(event, () => this.emit(event));
    // ioredis ends for good if a failover comes while it looks for the primary.
    client.on('end', () => {
      if (!this.#isEnded) this.#reconnectTimer = setTimeout(() => this.#connect(), RECONNECT_DELAY_MS);
    });
  }

  #connect(): void {
    if (!this.#isEnded) this.#client?.connect().catch(() => undefined);
  }

  async #onReady(): Promise<void> {
    // A Cluster is ready when it knows its nodes, and rejects commands to a node that still connects.
    if (this.isCluster) await Promise.race([this.#primariesConnected(), delay(NODES_TIMEOUT_MS)]);
    if (this.#client?.status !== 'ready') return;
    this.lastError = undefined;
    this.#isReady = true;
    this.emit('ready');
  }

  async #primariesConnected(): Promise<void> {
    const names = new Set(this.slots.map(([name]) => name));
    const primaries = this.nodes().filter((node) => names.has(nodeName(node)));
    await Promise.all(primaries.map(connected));
  }
}

/** Resolves when a node has connected, or has failed to connect. */
async function connected(node: RedisNode): Promise<void> {
  if (!node.status.startsWith('connect')) return;
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'close', 'end']) node.on(event, resolve);
  });
}

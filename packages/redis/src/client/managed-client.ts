import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { commandRunner } from './command-runner.js';
import { nodeName, type RedisClient, type RedisNode } from './redis-client.js';
import type { RunScript } from './run-script.js';

/** The members of ioredis' `Redis` and `Cluster` that the store uses. The types of versions 5 and 6 differ. */
export interface IoredisClient extends Omit<RedisClient, 'on'> {
  readonly status: string;
  readonly stream?: Socket;
  connect(): Promise<unknown>;
  disconnect(): void;
  /** Fetches the slots again. Only a client of a Cluster has it. */
  refreshSlotsCache?(): void;
  nodes?(): IoredisNode[];
  on(event: string, listener: (detail: Error & { readonly lastNodeError?: Error }) => void): unknown;
}

type Socket = { destroy(reason: Error): void; once(event: 'data', listener: (data: Buffer) => void): void } | undefined;
type IoredisNode = RedisNode & { readonly stream?: Socket };

/** How long a client that becomes ready waits for the nodes of its Cluster. */
const NODES_TIMEOUT_MS = 100;
/** A server with too many clients, or one that accepts only local clients. */
const REFUSED = /(?<=^-)(ERR max number of clients|DENIED )[^\r]*/;
/** What a client says of a socket that the server has closed: an error of the socket, or one of ioredis 5 about it. */
const CLOSED = /EPIPE|ECONNRESET|^Stream isn't writeable/;
/** How long a client stays ended. */
const RECONNECT_DELAY_MS = 100;

/** Resolves with what is certainly wrong with the options of a client, and what to write. */
type FindMistake = () => Promise<string | undefined>;

/** Milliseconds before a client that cannot connect is examined again. */
const EXAMINE_INTERVAL_MS = 5_000;
/** Of a server that is away, which answers no examination. */
const AWAY = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UNREACH/;

/** A client that the store connects and ends. */
export class ManagedClient extends EventEmitter {
  readonly isCluster: boolean;
  /** Runs a script. The client must be ready. */
  readonly run: RunScript;
  /** The client itself, for tools that send other commands. */
  readonly ioredis: object;
  readonly #client: IoredisClient;
  readonly #findMistake: FindMistake;
  readonly #onEnd: () => void;
  #lastError: Error | undefined;
  /** Why no connection can succeed until an operator changes something. */
  #mistake: Error | undefined;
  /** The time in milliseconds of `performance.now()`. It is Infinity as soon as the client was ready. */
  #examinedAt = -Infinity;
  #isReady = false;
  #isEnded = false;
  #ending: Promise<void> | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;

  /**
   * @param findMistake called when a connection has failed: what is certainly wrong with the options
   * @param onEnd called once, when the store ends the client
   */
  constructor(
    client: IoredisClient,
    isCluster: boolean,
    findMistake: FindMistake = () => Promise.resolve(undefined),
    onEnd: () => void = () => undefined,
  ) {
    super();
    this.#onEnd = onEnd;
    this.#findMistake = findMistake;
    this.isCluster = isCluster;
    this.#client = client;
    this.ioredis = client;
    this.run = commandRunner(client);
    this.#listen();
    this.#connect();
  }

  get status(): string {
    const { status } = this.#client;
    if (status === 'ready' && !this.#isReady) return 'connecting';
    return status === 'end' && !this.#isEnded ? 'reconnecting' : status;
  }

  /** Why the client is not ready. */
  get lastError(): Error | undefined {
    return this.#mistake ?? this.#lastError;
  }

  get slots(): readonly (readonly string[])[] {
    return this.#client.slots ?? [];
  }

  nodes(): IoredisNode[] {
    return this.#client.nodes?.() ?? [];
  }

  refreshSlotsCache(): void {
    this.#client.refreshSlotsCache?.();
  }

  /** Closes a connection that is of no use, and ioredis opens a new one. @param name `host:port` of a node of a Cluster */
  resetConnection(name?: string): void {
    const client = name === undefined ? this.#client : this.nodes().find((node) => nodeName(node) === name);
    client?.stream?.destroy(new Error('the connection is silent or out of step'));
  }

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    this.#onEnd();
    clearTimeout(this.#reconnectTimer);
    const client = this.#client;
    if (client.status !== 'ready') return client.disconnect();
    const ended = once(this, 'end');
    client.disconnect();
    await ended;
  }

  #listen(): void {
    const client = this.#client;
    // Without a listener ioredis prints errors.
    client.on('error', (error) => this.#onError(error));
    client.on('connect', () => this.#onConnect());
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
    if (!this.#isEnded) this.#client.connect().catch(() => undefined);
  }

  #onConnect(): void {
    // The server accepts connections: that it did not, a moment ago, is no reason any more.
    if (!this.#hasRefused()) this.#lastError = undefined;
    // ioredis does not report the text of a server that closes the connection at once.
    this.#client.stream?.once('data', (reply: Buffer) => {
      const [refusal] = REFUSED.exec(reply.toString('latin1')) ?? [];
      if (refusal !== undefined) this.#lastError = Object.assign(new Error(refusal), { name: 'ReplyError' });
    });
  }

  #onError(error: Error & { readonly lastNodeError?: Error }): void {
    // A server that refuses a connection says why, or closes the socket before it is heard.
    if (this.#hasRefused() && CLOSED.test(error.message)) return;
    // A Cluster reports only that it failed, and one of its nodes why.
    this.#lastError = error.lastNodeError ?? error;
    if (!this.#hasRefused() && !AWAY.test(this.#lastError.message)) void this.#examine();
  }

  /** A wrong connection fails again and again, with an error that says nothing of the cause. */
  async #examine(): Promise<void> {
    const now = performance.now();
    if (now - this.#examinedAt < EXAMINE_INTERVAL_MS || this.#mistake !== undefined) return;
    this.#examinedAt = now;
    const mistake = await this.#findMistake();
    if (mistake === undefined || this.#isReady || this.#isEnded) return;
    this.#mistake = new Error(mistake);
    // What waits for the connection waits no longer.
    this.emit('close');
  }

  /** The last error is a reply of the server. */
  #hasRefused(): boolean {
    return this.#lastError?.name === 'ReplyError';
  }

  async #onReady(): Promise<void> {
    // A Cluster is ready when it knows its nodes, and rejects commands to a node that still connects.
    if (this.isCluster) await Promise.race([this.#primariesConnected(), delay(NODES_TIMEOUT_MS)]);
    if (this.#client.status !== 'ready') return;
    this.#lastError = this.#mistake = undefined;
    this.#examinedAt = Infinity;
    this.#isReady = true;
    this.emit('ready');
  }

  async #primariesConnected(): Promise<void> {
    const names = new Set(this.slots.map(([name]) => name));
    await Promise.all(this.nodes().map((node) => names.has(nodeName(node)) && connected(node)));
  }
}

/** Resolves when a node has connected, or has failed to connect. */
async function connected(node: RedisNode): Promise<void> {
  if (!node.status.startsWith('connect')) return;
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'close', 'end']) node.on(event, resolve);
  });
}

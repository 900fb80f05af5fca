import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeName, type RedisClient, type RedisNode } from './redis-client.js';
import { scriptRunner, type RunScript, type ScriptCall } from './run-script.js';

/** The members of ioredis' `Redis` and `Cluster` that the store uses. The types of versions 5 and 6 differ. */
export interface IoredisClient extends Omit<RedisClient, 'on'> {
  readonly status: string;
  readonly options: { readonly keyPrefix?: unknown };
  readonly stream?: Socket;
  sendCommand(command: Command): Promise<unknown>;
  connect(): Promise<unknown>;
  disconnect(): void;
  /** Of a Cluster: fetches the slots again. */
  refreshSlotsCache?(): void;
  nodes?(): IoredisNode[];
  on(event: string, listener: (detail: Error & { readonly lastNodeError?: Error }) => void): unknown;
}

type Socket = { destroy(reason: Error): void } | undefined;
type IoredisNode = RedisNode & { readonly stream?: Socket };
type Command = { args: string[]; setTimeout(milliseconds: number): void };

/** The class that ioredis exports as `Command`. */
export type CommandClass = new (name: string, args: [], options: { replyEncoding: 'utf8' | null }) => Command;

/** How long a client that becomes ready waits for the nodes of its Cluster. */
const NODES_TIMEOUT_MS = 100;
/** How long a client stays ended. */
const RECONNECT_DELAY_MS = 100;

/** A client that the store opens and ends. It exists before ioredis is loaded. */
export class ManagedClient extends EventEmitter {
  readonly isCluster: boolean;
  /** Why the client is not ready. */
  lastError: Error | undefined;
  #client: IoredisClient | undefined;
  #run: RunScript | undefined;
  #isReady = false;
  #hasFailed = false;
  #isEnded = false;
  #ending: Promise<void> | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  readonly #opening: Promise<void>;

  constructor(open: () => Promise<{ client: IoredisClient; Command: CommandClass }>, isCluster: boolean) {
    super();
    this.isCluster = isCluster;
    this.#opening = open().then(
      ({ client, Command }) => this.#start(client, Command),
      (error: Error) => this.#fail(error),
    );
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

  /** Runs a script. The client must be ready. */
  readonly run: RunScript = (call, by) => this.#run!(call, by);

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
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

  #fail(error: Error): void {
    this.lastError = error;
    this.#hasFailed = true;
    this.emit('end');
  }

  #start(client: IoredisClient, Command: CommandClass): void {
    this.#client = client;
    // A script command has no prefix.
    this.#run = client.options.keyPrefix ? scriptRunner(client) : commandRunner(client, Command);
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
    this.#connect();
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

/**
 * Runs scripts by a command class of the store. `client.evalsha` of ioredis copies its arguments three times, and sets a
 * timer for each command: docs/benchmarks/tricks.md.
 */
function commandRunner(client: IoredisClient, Command: CommandClass): RunScript {
  class ScriptCommand extends Command {
    constructor({ script, keys, args }: ScriptCall) {
      super('evalsha', [], { replyEncoding: script.packed ? null : 'utf8' });
      this.args = [(script.packed ?? script).sha, String(keys.length), ...keys];
      for (const each of args) this.args.push(String(each));
    }

    /** The store has one timer for the deadline of all calls. */
    override setTimeout(): void {}
  }
  const runSource = scriptRunner(client);
  return (call, by) => (by === 'sha' ? client.sendCommand(new ScriptCommand(call)) : runSource(call, by));
}

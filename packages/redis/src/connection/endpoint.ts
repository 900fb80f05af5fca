import { channels } from '@sluice/core/internal';
import type { RedisClient } from '../client/redis-client.js';
import { Breaker } from './breaker.js';
import { ConnectionWatch } from './connection-watch.js';
import { OutageError } from './outage-error.js';
import { SentTexts } from './sent-texts.js';

/** The client of one server. */
export type ServerClient = Pick<RedisClient, 'status' | 'on' | 'connect'>;

interface EndpointOptions {
  /** How many milliseconds calls wait for a server that was never ready. */
  readonly connectDeadline: number;
  /** The server was ready before its first call. @default false */
  readonly wasReady?: boolean;
  /** False if the client cannot become ready after this failure. Calls then stop waiting. */
  readonly keepsConnecting?: () => boolean;
  /** `host:port` of a node of a Cluster. */
  readonly name?: string;
  /** Is called if the server fails or is gone, because another node may then have its slots. */
  readonly refreshTopology?: (() => void) | undefined;
  /** Called when the server is ready, at first and again. */
  readonly onReady?: (() => void) | undefined;
  /** Looks whether a server that is ready is the right one. Rejects if the connection is lost. @default it is */
  readonly examine?: (() => Promise<Error | undefined>) | undefined;
  /** Replaces a connection that is silent, whose replies are out of step, or whose server refuses what a new one may get. */
  readonly resetConnection?: (() => unknown) | undefined;
}

export type Readiness = 'ready' | 'starting' | 'down';

/** A server that receives calls: the server of a client, or a primary of a Cluster. */
export class Endpoint {
  readonly name: string | undefined;
  readonly breaker: Breaker;
  readonly outage = new OutageError();
  readonly texts = new SentTexts();
  readonly watch: ConnectionWatch;
  /** It has answered its last call. */
  isAnswering = false;
  /** Why calls to the server would do harm, until an operator changes something. */
  mistake: Error | undefined;
  /** The server that is ready has been examined, and is the right one. */
  #isFit: boolean;
  readonly #options: EndpointOptions;
  #client: ServerClient | undefined;
  /** The server was ready once, or calls have waited for it in vain: no call waits for it again. */
  #hasStarted: boolean;
  #starting: Promise<void> | undefined;
  #onStarted: (() => void) | undefined;

  /** @param client undefined if a Cluster has no client for this node */
  constructor(client: ServerClient | undefined, options: EndpointOptions) {
    const { name, refreshTopology, wasReady = false } = options;
    this.name = name;
    this.#isFit = options.examine === undefined;
    this.#options = options;
    this.#hasStarted = wasReady;
    this.watch = new ConnectionWatch({ reset: options.resetConnection, isConnected: () => this.isConnected });
    this.breaker = new Breaker((state, details) => {
      if (state === 'open') refreshTopology?.();
      const primary = name === undefined ? {} : { primary: name };
      if (channels.breaker.hasSubscribers) channels.breaker.publish({ state, ...details, ...primary });
    });
    this.attach(client);
  }

  /** Replaces the client, for example when a node of a Cluster comes back. */
  attach(client: ServerClient | undefined): void {
    if (client === this.#client) return;
    this.#client = client;
    this.texts.forget();
    if (client?.status === 'ready') this.#begin(() => this.#start());
    const listen = (event: string, listener: () => void) =>
      client?.on?.(event, () => {
        if (this.#client === client) listener();
      });
    listen('ready', () => this.#onReady());
    for (const event of ['close', 'end']) listen(event, () => this.#onLost());
  }

  get isConnected(): boolean {
    if (this.#client === undefined) return false;
    const { status } = this.#client;
    return status === undefined || status === 'ready';
  }

  get status(): string {
    return this.#client?.status ?? 'end';
  }

  /** Connects a client that waits for it. `starting`: not ready yet for the first time, and a call may wait for it. */
  ensureReady(): Readiness {
    const client = this.#client;
    const { status } = client ?? {};
    if (status === 'ready') return this.#isFit ? 'ready' : this.#hasStarted ? 'down' : 'starting';
    const { refreshTopology } = this.#options;
    // A client without a status always receives calls, except for a lost node of a Cluster.
    if (status === undefined && !(this.#hasStarted && refreshTopology)) return 'ready';
    // A client with lazyConnect connects on its first command, and no command is sent before it is ready.
    if (status === 'wait') void Promise.resolve(client?.connect?.()).catch(() => undefined);
    // Without events no call would notice that the server is ready.
    if (!this.#hasStarted && status !== 'end' && client?.on) return 'starting';
    refreshTopology?.();
    return 'down';
  }

  /**
   * Resolves when the server is ready for the first time, or when calls should wait no longer. The time counts from the
   * first call, because a process that loads its modules reads no socket.
   */
  started(): Promise<void> {
    this.#starting ??= new Promise((resolve) => {
      // A server may have become ready while the process was busy.
      const timer = setTimeout(() => setImmediate(() => this.#start()), this.#options.connectDeadline);
      this.#onStarted = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#starting;
  }

  #onReady(): void {
    this.watch.noteReady();
    this.texts.forget();
    this.breaker.reset();
    this.#begin(() => {
      this.#options.onReady?.();
      this.#start();
    });
  }

  /** Calls back when the server is known to be the right one. */
  #begin(onFit: () => void): void {
    const { examine } = this.#options;
    if (examine === undefined) return onFit();
    this.#isFit = false;
    const onExamined = (mistake: Error | undefined) => {
      this.mistake = mistake;
      this.#isFit = mistake === undefined;
      if (this.#isFit) onFit();
      else this.#start();
    };
    // If the connection is lost, the next one is examined.
    void examine().then(onExamined, () => undefined);
  }

  #onLost(): void {
    this.watch.noteLoss();
    if (!this.#options.keepsConnecting?.()) this.#start();
  }

  #start(): void {
    this.#hasStarted = true;
    this.#onStarted?.();
  }
}

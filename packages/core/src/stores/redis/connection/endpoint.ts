import { channels } from '../../../events/channels.js';
import type { RedisClient } from '../client/redis-client.js';
import { Breaker } from './breaker.js';
import { OutageError } from './outage-error.js';
import { endsWithConnection } from './redis-error.js';
import { SentTexts } from './sent-texts.js';

/** The client of one server. */
export type ServerClient = Pick<RedisClient, 'status' | 'on' | 'connect'>;

interface EndpointOptions {
  /** How long calls wait for a server that was never ready. In milliseconds. */
  readonly connectDeadline: number;
  /** The server was ready before its first call. @default false */
  readonly wasReady?: boolean;
  /** False if the client cannot become ready after this failure. Calls then stop waiting. */
  readonly keepsConnecting?: () => boolean;
  /** `host:port` of a node of a Cluster. */
  readonly name?: string;
  /** Called if the server fails or is gone: another node may have its slots. */
  readonly refreshTopology?: (() => void) | undefined;
  /** Called when the server is ready, at first and again. */
  readonly onReady?: (() => void) | undefined;
  /** Looks whether a server that is ready is the right one. Rejects if the connection is lost. @default it is */
  readonly examine?: (() => Promise<Error | undefined>) | undefined;
  /** Replaces a connection that is silent, whose replies are out of step, or whose server refuses what a new one may get. */
  readonly resetConnection?: (() => unknown) | undefined;
}

/** A connection silent for this long is closed and reopened. TCP alone takes minutes to notice. */
const MAX_SILENCE_MS = 2_000;
/** How long a server may refuse what another connection may get. */
const MAX_REFUSAL_MS = 2_000;
/** When a client that was asked for another connection, and has none, is asked again. */
const RESET_INTERVAL_MS = 2_000;

/** A server that receives calls: the server of a client, or a primary of a Cluster. */
export class Endpoint {
  readonly name: string | undefined;
  readonly breaker: Breaker;
  readonly outage = new OutageError();
  readonly texts = new SentTexts();
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
  /** Runs while a reply is missing. It replaces a timer for each call: docs/decisions/0023-silent-connections.md. */
  #silenceTimer: NodeJS.Timeout | undefined;
  /** Runs from the first refusal that another connection may end until the next answer. */
  #refusalTimer: NodeJS.Timeout | undefined;
  /** Runs while the client replaces its connection. */
  #resetTimer: NodeJS.Timeout | undefined;
  #hasAnswered = false;
  /** In milliseconds of `performance.now()`. */
  #resetAt = -Infinity;

  /** @param client undefined if a Cluster has no client for this node */
  constructor(client: ServerClient | undefined, options: EndpointOptions) {
    const { name, refreshTopology, wasReady = false } = options;
    this.name = name;
    this.#isFit = options.examine === undefined;
    this.#options = options;
    this.#hasStarted = wasReady;
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
  ensureReady(): 'ready' | 'starting' | 'down' {
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

  /** The server replied, in time or late. */
  noteReply(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = undefined;
  }

  /** The server has answered a call. */
  noteAnswer(): void {
    this.#hasAnswered = true;
    if (this.#refusalTimer === undefined) return;
    clearTimeout(this.#refusalTimer);
    this.#refusalTimer = undefined;
  }

  /** The server has refused a call. */
  noteRefusal(error: Error): void {
    const { resetConnection } = this.#options;
    if (resetConnection === undefined || this.#refusalTimer !== undefined) return;
    if (!endsWithConnection(error, this.#hasAnswered)) return;
    const onRefused = () => {
      this.#refusalTimer = undefined;
      this.#resetConnection();
    };
    this.#refusalTimer = setTimeout(onRefused, MAX_REFUSAL_MS).unref();
  }

  /** The server did not reply before the deadline of a call. @param sentAt of the call, in `performance.now()` */
  noteTimeout(sentAt: number): void {
    const { resetConnection } = this.#options;
    if (resetConnection === undefined || this.#silenceTimer !== undefined) return;
    const onSilence = () => {
      this.#silenceTimer = undefined;
      this.#resetConnection();
    };
    this.#silenceTimer = setTimeout(onSilence, sentAt + MAX_SILENCE_MS - performance.now()).unref();
  }

  /** The reply is not that of the script: the replies to other calls may be out of step too. */
  noteForeignReply(): void {
    // A server that never replies as Redis does is not connected again and again.
    if (performance.now() - this.#resetAt >= MAX_SILENCE_MS) this.#resetConnection();
  }

  #resetConnection(): void {
    // The application may have closed its client.
    if (this.#resetTimer === undefined && this.isConnected) void this.#reset();
  }

  /** Asks again while the client connects: its handshake may wait for ever, for example for a dead host behind a balancer. */
  async #reset(): Promise<void> {
    this.#resetAt = performance.now();
    const timer = setTimeout(() => void this.#reset(), RESET_INTERVAL_MS).unref();
    this.#resetTimer = timer;
    try {
      await this.#options.resetConnection?.();
    } catch {
      // The next silence resets it again.
    }
    if (this.#resetTimer === timer) this.#endReset();
  }

  #endReset(): void {
    clearTimeout(this.#resetTimer);
    this.#resetTimer = undefined;
  }

  /** The connection is another one, or none. */
  #forgetProblems(): void {
    this.noteReply();
    clearTimeout(this.#refusalTimer);
    this.#refusalTimer = undefined;
  }

  #onReady(): void {
    this.#forgetProblems();
    this.#endReset();
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
    this.#forgetProblems();
    if (!this.#options.keepsConnecting?.()) this.#start();
  }

  #start(): void {
    this.#hasStarted = true;
    this.#onStarted?.();
  }
}

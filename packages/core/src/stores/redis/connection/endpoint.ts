import { channels } from '../../../events/channels.js';
import { Breaker } from './breaker.js';

/** Connects on its own and tells how it stands, as the clients of ioredis do. All of it may be missing. */
export interface Server {
  readonly status?: string;
  on?(event: string, listener: () => void): unknown;
  connect?(): Promise<unknown>;
}

/** Wants to be told whether a server that is just starting has become ready. */
export interface Waiting {
  go(): void;
  giveUp(): void;
}

interface PrimaryOptions {
  /** `host:port` of a node of a Cluster. */
  readonly name?: string;
  /** Called where it does not answer, or is gone: finds out whether another has taken its place. */
  readonly lookAgain?: (() => void) | undefined;
  /** Ends its connection, which has gone silent, for a new one. */
  readonly hangUp?: (() => void) | undefined;
}

/** Milliseconds without a reply after which a connection leads nowhere. Nobody else would notice for minutes. */
const SILENCE = 2_000;

/** A server that calls go to: the one of a client, or a primary of a Cluster. */
export class Endpoint {
  /** `host:port` of a node of a Cluster. */
  readonly name: string | undefined;
  readonly breaker: Breaker;
  readonly #lookAgain: (() => void) | undefined;
  readonly #hangUp: (() => void) | undefined;
  #server: Server | undefined;
  /** It was ready once, or its first attempt has failed: nothing is waited for any more. */
  #attempted = false;
  #waiting: Waiting[] = [];
  /** Runs while a reply is missing. A timer for each call would take as long as to decide a few checks. */
  #silence: NodeJS.Timeout | undefined;

  /** @param server nothing where it is not known how it stands */
  constructor(server: Server | undefined, { name, lookAgain, hangUp }: PrimaryOptions = {}) {
    this.name = name;
    this.#lookAgain = lookAgain;
    this.#hangUp = hangUp;
    this.breaker = new Breaker((state, about) => {
      if (state === 'open') lookAgain?.();
      const primary = name === undefined ? {} : { primary: name };
      if (channels.breaker.hasSubscribers) channels.breaker.publish({ state, ...about, ...primary });
    });
    this.follow(server);
  }

  /** From now on it is known by this client, as when a node of a Cluster has come back. */
  follow(server: Server | undefined): void {
    if (server === this.#server) return;
    this.#server = server;
    if (server === undefined) return;
    const isCurrent = () => this.#server === server;
    server.on?.('ready', () => {
      if (isCurrent()) this.#ready();
    });
    for (const event of ['close', 'end']) {
      server.on?.(event, () => {
        if (isCurrent()) this.#lost();
      });
    }
  }

  /** `starting`: it has not been tried yet, and may be ready in a moment. */
  get readiness(): 'ready' | 'starting' | 'down' {
    const server = this.#server;
    const { status } = server ?? {};
    if (status === 'ready') return 'ready';
    // What a Cluster is asked for a node that it has lost, it asks of any other, or keeps for later. One that is not known
    // by this name is another matter.
    if (status === undefined && !(this.#attempted && this.#lookAgain)) return 'ready';
    // Connecting is what a command would make it do, and none is sent before it is ready.
    if (status === 'wait') void Promise.resolve(server?.connect?.()).catch(() => undefined);
    // Where nobody can tell when it becomes ready, there is nothing to wait for.
    if (!this.#attempted && status !== 'end' && server?.on) return 'starting';
    this.#lookAgain?.();
    return 'down';
  }

  /** How it stands, in the client's words. */
  get status(): string {
    return this.#server?.status ?? 'end';
  }

  /** It has not become ready in time: whoever comes now does not wait for it. */
  stopWaiting(): void {
    this.#attempted = true;
  }

  wait(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  /** A reply has come, late perhaps. */
  replied(): void {
    if (this.#silence === undefined) return;
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  /** A call has had no reply in time. @param asked when it was asked for, in milliseconds of `performance.now()` */
  missed(asked: number): void {
    if (this.#hangUp === undefined || this.#silence !== undefined) return;
    const hangUp = this.#hangUp;
    this.#silence = setTimeout(
      () => {
        this.#silence = undefined;
        hangUp();
      },
      asked + SILENCE - performance.now(),
    ).unref();
  }

  #lost(): void {
    this.replied();
    this.#settle((each) => each.giveUp());
  }

  #ready(): void {
    this.replied();
    this.breaker.reset();
    this.#settle((each) => each.go());
  }

  #settle(tell: (waiting: Waiting) => void): void {
    this.#attempted = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) tell(each);
  }
}

import { endsWithConnection } from './classify-error.js';

interface WatchedConnection {
  /** Replaces the connection. It is undefined for a client that cannot replace it. */
  readonly reset: (() => unknown) | undefined;
  readonly isConnected: () => boolean;
}

/** A connection silent for this long is closed and reopened. TCP alone takes minutes to notice. */
const MAX_SILENCE_MS = 2_000;
/** How long a server may refuse what another connection may get. */
const MAX_REFUSAL_MS = 2_000;
/** When a client that was asked for another connection, and has none, is asked again. */
const RESET_INTERVAL_MS = 2_000;

/**
 * Watches what a connection replies, and has one replaced that is silent, whose replies are out of step, or whose server refuses
 * what a new one may get.
 */
export class ConnectionWatch {
  readonly #connection: WatchedConnection;
  /** Runs while a reply is missing. It replaces a timer for each call: docs/decisions/0023-silent-connections.md. */
  #silenceTimer: NodeJS.Timeout | undefined;
  /** Runs from the first refusal that another connection may end until the next answer. */
  #refusalTimer: NodeJS.Timeout | undefined;
  /** Runs while the client replaces its connection. */
  #resetTimer: NodeJS.Timeout | undefined;
  #hasAnswered = false;
  /** In milliseconds of `performance.now()`. */
  #resetAt = -Infinity;

  constructor(connection: WatchedConnection) {
    this.#connection = connection;
  }

  /** The server replied, in time or late. */
  noteReply(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = undefined;
  }

  /** The server has answered a call. */
  noteAnswer(): void {
    this.#hasAnswered = true;
    if (this.#silenceTimer !== undefined || this.#refusalTimer !== undefined) this.noteLoss();
  }

  /** The server has refused a call. */
  noteRefusal(error: Error): void {
    if (this.#connection.reset === undefined || this.#refusalTimer !== undefined) return;
    if (!endsWithConnection(error, this.#hasAnswered)) return;
    const onRefused = () => {
      this.#refusalTimer = undefined;
      this.#replace();
    };
    this.#refusalTimer = setTimeout(onRefused, MAX_REFUSAL_MS).unref();
  }

  /** The server did not reply before the deadline of a call. @param sentAt of the call, in `performance.now()` */
  noteTimeout(sentAt: number): void {
    if (this.#connection.reset === undefined || this.#silenceTimer !== undefined) return;
    const onSilence = () => {
      this.#silenceTimer = undefined;
      this.#replace();
    };
    this.#silenceTimer = setTimeout(onSilence, sentAt + MAX_SILENCE_MS - performance.now()).unref();
  }

  /** The reply is not that of the script: the replies to other calls may be out of step too. */
  noteForeignReply(): void {
    this.noteReply();
    // A server that never replies as Redis does is not connected again and again.
    if (performance.now() - this.#resetAt >= MAX_SILENCE_MS) this.#replace();
  }

  /** The connection is lost, or works. */
  noteLoss(): void {
    this.noteReply();
    clearTimeout(this.#refusalTimer);
    this.#refusalTimer = undefined;
  }

  /** There is another connection. */
  noteReady(): void {
    this.noteLoss();
    this.#endReset();
  }

  #replace(): void {
    // The application may have closed its client.
    if (this.#resetTimer === undefined && this.#connection.isConnected()) void this.#reset();
  }

  /** Asks again while the client connects: its handshake may wait for ever, for example for a dead host behind a balancer. */
  async #reset(): Promise<void> {
    this.#resetAt = performance.now();
    const timer = setTimeout(() => void this.#reset(), RESET_INTERVAL_MS).unref();
    this.#resetTimer = timer;
    try {
      await this.#connection.reset?.();
    } catch {
      // The next silence resets it again.
    }
    if (this.#resetTimer === timer) this.#endReset();
  }

  #endReset(): void {
    clearTimeout(this.#resetTimer);
    this.#resetTimer = undefined;
  }
}

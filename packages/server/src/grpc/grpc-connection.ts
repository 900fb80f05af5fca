import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

const IDLE_MS = 300_000;
/** After which a call has come that a client sent before it was told. */
const ON_THE_WAY_MS = 100;

/** A connection of a client: its calls, what it has sent of unfinished messages, and whether it is still there. */
export class GrpcConnection {
  readonly #session: ServerHttp2Session;
  readonly #mostBytes: number;
  #socket: Socket | undefined;
  #calls = 0;
  #kept = 0;
  #usedAt = performance.now();
  #isAsked = false;

  /** @param mostBytes of unfinished messages */
  constructor(session: ServerHttp2Session, mostBytes: number) {
    this.#session = session;
    this.#mostBytes = mostBytes;
  }

  /** Takes its socket, which stays open after the session has ended, until its client closes it, too. */
  hold(socket: Socket): void {
    this.#socket = socket;
  }

  /** Ends a connection whose client does not greet in time. */
  awaitGreeting(milliseconds: number): void {
    const alarm = setTimeout(() => this.destroy(), milliseconds).unref();
    this.#session.once('remoteSettings', () => clearTimeout(alarm));
    this.#session.once('close', () => clearTimeout(alarm));
  }

  begin(): void {
    this.#calls += 1;
  }

  end(): void {
    this.#calls -= 1;
    this.#usedAt = performance.now();
  }

  /** Counts bytes of an unfinished message. @returns what is wrong where they are too many */
  keep(bytes: number): string | undefined {
    this.#kept += bytes;
    if (this.#kept <= this.#mostBytes) return undefined;
    return `the unfinished messages of a connection must have at most ${this.#mostBytes} bytes`;
  }

  drop(bytes: number): void {
    this.#kept -= bytes;
  }

  /** Ends a connection that is idle, and one whose client has not answered since the last look. */
  look(now = performance.now()): void {
    if (this.#isAsked || this.#session.destroyed) {
      this.destroy();
      return;
    }
    if (this.#calls === 0 && now - this.#usedAt >= IDLE_MS) {
      this.#session.close();
      return;
    }
    this.#isAsked = true;
    this.#session.ping(() => (this.#isAsked = false));
  }

  /**
   * Takes no call after those that are on the way: the client is told, and the connection ends soon after, when its calls have
   * been answered. Clients on Node do not answer a ping then, so that it is not awaited for long.
   */
  drain(): void {
    const session = this.#session;
    if (session.destroyed) return;
    session.goaway(0, 2 ** 31 - 1);
    const end = () => session.close();
    setTimeout(end, ON_THE_WAY_MS);
    session.ping(end);
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket?.destroy();
  }
}

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, type Listener } from './listener.js';

export interface Wire extends Listener {
  /** Open connections stop carrying data, without an error. */
  freeze(): void;
  /** Open connections stop carrying data, and so do new ones. */
  blackHole(): void;
  /** Delivers the data that `freeze` and `blackHole` held back. */
  thaw(): void;
  /** Delays replies by so many milliseconds. */
  slow(milliseconds: number): void;
  /** Open connections deliver commands, and drop replies. */
  swallowReplies(): void;
  /** Each open connection delivers half of its next reply, and is reset. */
  tearReplies(): void;
  /** Open connections deliver these bytes before their next reply. */
  inject(bytes: string): void;
  /** Connections since the start. */
  readonly connections: number;
  /** Closes open connections. New ones work. */
  cut(): void;
}

/** A proxy of a server that can break as networks do. */
export async function wireTo(server: { readonly port: number }): Promise<Wire> {
  const strands = new Set<Strand>();
  let lost = false;
  let late = 0;
  let connections = 0;
  const listener = await listen((client) => {
    const strand = new Strand(client, server.port, () => late);
    strands.add(strand);
    connections += 1;
    client.once('close', () => strands.delete(strand));
    if (lost) strand.freeze();
  });
  const each = (act: (strand: Strand) => void) => {
    for (const strand of strands) act(strand);
  };
  return {
    ...listener,
    freeze: () => each((strand) => strand.freeze()),
    blackHole() {
      lost = true;
      each((strand) => strand.freeze());
    },
    thaw() {
      lost = false;
      each((strand) => strand.thaw());
    },
    slow(milliseconds) {
      late = milliseconds;
    },
    swallowReplies: () => each((strand) => strand.swallowReplies()),
    tearReplies: () => each((strand) => strand.tearReplies()),
    inject: (bytes) => each((strand) => strand.inject(bytes)),
    get connections() {
      return connections;
    },
    cut: () => each((strand) => strand.cut()),
  };
}

/** One connection through a wire. */
class Strand {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #late: () => number;
  #passed = Promise.resolve();
  #replies: 'arrive' | 'vanish' | 'tear' = 'arrive';
  #injected = '';

  constructor(client: Socket, port: number, late: () => number) {
    this.#client = client;
    this.#server = connect(port, '127.0.0.1');
    this.#late = late;
    this.#server.on('error', () => undefined);
    client.on('data', (bytes) => this.#server.write(bytes));
    this.#server.on('data', (bytes) => this.#reply(bytes));
    client.once('close', () => this.#server.destroy());
    this.#server.once('close', () => client.destroy());
  }

  freeze(): void {
    this.#client.pause();
    this.#server.pause();
  }

  thaw(): void {
    this.#client.resume();
    this.#server.resume();
  }

  swallowReplies(): void {
    this.#replies = 'vanish';
  }

  tearReplies(): void {
    this.#replies = 'tear';
  }

  inject(bytes: string): void {
    this.#injected += bytes;
  }

  cut(): void {
    this.#client.destroy();
  }

  #reply(bytes: Buffer): void {
    if (this.#replies === 'vanish') return;
    if (this.#replies === 'tear') {
      this.#replies = 'vanish';
      this.#client.write(bytes.subarray(0, bytes.length / 2), () => this.#client.resetAndDestroy());
      return;
    }
    const injected = this.#injected;
    this.#injected = '';
    const due = performance.now() + this.#late();
    // Keeps the order of replies.
    this.#passed = this.#passed.then(async () => {
      const early = due - performance.now();
      if (early > 0) await delay(early);
      this.#client.write(injected === '' ? bytes : Buffer.concat([Buffer.from(injected), bytes]));
    });
  }
}

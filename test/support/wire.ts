import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, type Listener } from '../../packages/core/src/testing/internal/listener.js';

export interface Wire extends Listener {
  /** Nothing passes any more, and nobody is told: on the connections of now. */
  freeze(): void;
  /** Nothing passes on the connections of now, and new ones are accepted and lead nowhere. */
  blackHole(): void;
  /** What was held up passes after all. */
  thaw(): void;
  /** Replies arrive so many milliseconds later. */
  slow(milliseconds: number): void;
  /** Commands arrive, and replies do not: on the connections of now. */
  swallowReplies(): void;
  /** The next reply on each of the connections of now arrives by half, and then the connection is reset. */
  tearReplies(): void;
  /** Ends the connections of now. New ones are sound. */
  cut(): void;
}

/** A wire to a server that can break in the ways that wires do. */
export async function wireTo(server: { readonly port: number }): Promise<Wire> {
  const strands = new Set<Strand>();
  let lost = false;
  let late = 0;
  const listener = await listen((client) => {
    const strand = new Strand(client, server.port, () => late);
    strands.add(strand);
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
    cut: () => each((strand) => strand.cut()),
  };
}

/** One connection that goes through a wire. */
class Strand {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #late: () => number;
  #passed = Promise.resolve();
  #replies: 'arrive' | 'vanish' | 'tear' = 'arrive';

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
    const due = performance.now() + this.#late();
    // None overtakes another.
    this.#passed = this.#passed.then(async () => {
      const early = due - performance.now();
      if (early > 0) await delay(early);
      this.#client.write(bytes);
    });
  }
}

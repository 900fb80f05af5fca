import type { Reply } from '../redis/reply.js';
import type { ScriptCommand, SimServer } from '../redis/sim-server.js';
import type { World } from './world.js';

/** A command in flight, and what gets its reply. */
interface Pending {
  readonly settle: (reply: Reply) => void;
  readonly fail: (reason: string) => void;
}

/** A network between a process and a server. */
export class Link {
  /** Milliseconds of a way, at least and at most. */
  least = 0.05;
  most = 1;
  /** Nothing arrives before; what was sent arrives then, as TCP sends it again. */
  cutUntil = 0;
  /** The same for replies alone. */
  deafUntil = 0;

  constructor(readonly world: World) {}

  get isCut(): boolean {
    return this.cutUntil > this.world.now;
  }

  /** When something arrives that is sent now. */
  arrival(isReply: boolean): number {
    const { now, random } = this.world;
    const way = this.least + random.fraction() * (this.most - this.least);
    const cutUntil = isReply ? Math.max(this.cutUntil, this.deafUntil) : this.cutUntil;
    return cutUntil > now ? cutUntil + way + random.fraction() * 200 : now + way;
  }
}

/** A TCP connection: commands arrive in order, and replies too. It ends once. */
export class SimConnection {
  #isOpen = true;
  #lastCommandAt = 0;
  #lastReplyAt = 0;
  readonly #pending: Pending[] = [];
  /** Commands that the server has not read. */
  readonly #unread: { readonly command: ScriptCommand; readonly at: number }[] = [];
  readonly #world: World;
  readonly #stops: number;

  /** @param deliver has the process read what has come */
  constructor(
    readonly link: Link,
    readonly server: SimServer,
    readonly deliver: (act: () => void) => void,
  ) {
    this.#world = link.world;
    this.#stops = server.stops;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(command: ScriptCommand, pending: Pending): void {
    this.#pending.push(pending);
    const at = Math.max(this.#lastCommandAt, this.link.arrival(false));
    this.#lastCommandAt = at;
    this.#unread.push({ command, at });
    this.#world.at(at, () => this.#read());
  }

  /** @returns fails what is in flight; what has been sent may run yet */
  end(): () => void {
    this.#isOpen = false;
    // What a closed socket has sent may still arrive.
    if (this.#world.random.chance(0.5)) this.#unread.length = 0;
    const lost = this.#pending.splice(0);
    return () => {
      for (const { fail } of lost) fail('Connection is closed.');
    };
  }

  #read(): void {
    const { server } = this;
    if (server.stalledUntil > this.#world.now) {
      this.#world.at(server.stalledUntil, () => this.#read());
      return;
    }
    const first = this.#unread[0];
    if (first === undefined || first.at > this.#world.now) return;
    this.#unread.shift();
    // One that has started again knows nothing of this connection.
    if (server.isDown || server.stops !== this.#stops) return;
    const reply = server.run(first.command);
    if (!this.#isOpen) return;
    const at = Math.max(this.#lastReplyAt, this.link.arrival(true));
    this.#lastReplyAt = at;
    this.#world.at(at, () => {
      if (!this.#isOpen) return;
      this.deliver(() => {
        if (this.#isOpen) this.#pending.shift()!.settle(reply);
      });
    });
  }
}

import type { SimServer } from './redis/sim-server.js';
import { slotOf, Slots } from './redis/slots.js';
import type { World } from './world/world.js';

/** Clocks of servers that differ by more milliseconds are a jump for a key that moves. */
const SAME_CLOCK_MS = 5;

/** The primaries of a Cluster, and what moves slots between them. */
export class Cluster {
  readonly #world: World;
  readonly #servers: readonly SimServer[];
  readonly #slots: Slots;
  readonly #onJump: () => void;

  /** @param onJump called when the state of a key that moves is another one, or the clock that it lives by */
  constructor(world: World, servers: readonly SimServer[], onJump: () => void) {
    this.#world = world;
    this.#servers = servers;
    this.#slots = new Slots(servers.length);
    this.#onJump = onJump;
    for (const place of servers.keys()) this.join(place);
  }

  /** Has the server at a place redirect what is not its own. */
  join(place: number): void {
    this.#servers[place]!.redirection = (keyspace, { keys, isAsking = false }) =>
      this.#slots.redirection(place, keyspace, keys, isAsking);
  }

  /** Moves the slot of a key to another primary, key by key. Returns what ends that; undefined without a key. */
  move(milliseconds: number): (() => void) | undefined {
    const { random } = this.#world;
    const used = this.#servers.flatMap(({ keyspace }) => keyspace.keys().map(slotOf));
    if (used.length === 0) return undefined;
    const slot = random.pick(used);
    if (this.#slots.isMoving(slot)) return undefined;
    const source = this.#slots.ownerOf(slot);
    const target = (source + random.integer(1, this.#servers.length - 1)) % this.#servers.length;
    this.#slots.beginMove(slot, target);
    this.#world.tell('FAULT', `slot ${slot} moves from ${source} to ${target}`);
    const keysOf = () => this.#servers[source]!.keyspace.keys().filter((key) => slotOf(key) === slot);
    const moveKey = (key: string) => {
      const [from, to] = [this.#servers[source]!, this.#servers[target]!];
      const isTaken = to.keyspace.take(key, from.keyspace);
      // A replica that took over may have the key again.
      if (!isTaken || Math.abs(from.time() - to.time()) > SAME_CLOCK_MS * 1e3) this.#onJump();
    };
    for (const key of keysOf()) this.#world.after(milliseconds * random.fraction(), () => moveKey(key));
    return () => {
      for (const key of keysOf()) moveKey(key);
      this.#slots.endMove(slot);
    };
  }
}

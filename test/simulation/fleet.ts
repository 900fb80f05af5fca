import { SimServer } from './redis/sim-server.js';
import { Link } from './world/link.js';
import { SimClient } from './world/sim-client.js';
import { SimProcess } from './world/sim-process.js';
import type { World } from './world/world.js';
import { redisStore, type RedisStore } from '../../packages/core/src/stores/redis/redis-store.js';

/** A process with a store. It is replaced by another one when it is killed. */
export interface Member {
  readonly process: SimProcess;
  readonly client: SimClient;
  readonly store: RedisStore;
  readonly link: Link;
  /** When its client has connected first. Infinity: not yet. */
  readyAt: number;
}

export interface FleetOptions {
  readonly size: number;
  /** Called in a process when it has a store. */
  readonly onStart: (member: Member, place: number) => void;
}

/** Some processes and a Redis. */
export class Fleet {
  readonly members: Member[] = [];
  server: SimServer;
  /** When the server has lost data, or its clock has jumped forward. */
  readonly losses: number[] = [];
  /** When its clock has jumped back. */
  readonly delays: number[] = [];
  readonly #options: FleetOptions;
  #started = 0;

  constructor(
    readonly world: World,
    options: FleetOptions,
  ) {
    this.#options = options;
    this.server = new SimServer(world, 'redis', rateOf(world));
    for (let place = 0; place < options.size; place += 1) this.start(place);
  }

  get size(): number {
    return this.#options.size;
  }

  /** Starts a process in a place, where another one may have been. */
  start(place: number): void {
    const { world } = this;
    this.#started += 1;
    const process = new SimProcess(world, `p${this.#started}`, rateOf(world));
    const link = new Link(world);
    link.most = world.random.pick([0.2, 1, 5]);
    const takesBytes = world.random.chance(0.7);
    process.deliver(() => {
      const client = new SimClient({ process, link, serverOf: () => this.server, takesBytes });
      const store = redisStore(client);
      const member: Member = { process, client, store, link, readyAt: Infinity };
      client.on('ready', () => (member.readyAt = Math.min(member.readyAt, world.now)));
      this.members[place] = member;
      this.#options.onStart(member, place);
    });
  }

  /** Has all clients connect again. */
  dropAll(): void {
    for (const { client } of this.members) client.drop();
  }

  lose(keyspace?: SimServer['keyspace']): void {
    this.server.lose(keyspace);
    this.losses.push(this.world.now);
  }
}

/** Clocks of machines differ by less than a thousandth. */
function rateOf({ random }: World): number {
  return 1 + (random.fraction() - 0.5) * 8e-4;
}

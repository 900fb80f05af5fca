import { Cluster } from './cluster.js';
import { Keyspace } from './redis/keyspace.js';
import { SimServer } from './redis/sim-server.js';
import { Link } from './world/link.js';
import { SimClient } from './world/sim-client.js';
import { SimClusterClient } from './world/sim-cluster-client.js';
import { SimProcess } from './world/sim-process.js';
import type { World } from './world/world.js';
import { redisStore, type RedisStore } from '../../packages/redis/src/redis-store.js';

/** A process with a store. It is replaced by another one when it is killed. */
export interface Member {
  readonly process: SimProcess;
  readonly client: SimClient | SimClusterClient;
  readonly store: RedisStore;
  readonly link: Link;
  /** When its process has begun. */
  readonly startedAt: number;
  /** When its client has connected first. Infinity: not yet. */
  readyAt: number;
}

export interface FleetOptions {
  readonly size: number;
  /** Primaries. More than one are a Cluster. */
  readonly servers: number;
  /** Called in a process when it has a store. */
  readonly onStart: (member: Member, place: number) => void;
  /** Called before a server loses data. @param left what it has afterwards */
  readonly onLoss?: (server: SimServer, left: Keyspace) => void;
}

/** Some processes and a Redis. */
export class Fleet {
  readonly members: Member[] = [];
  readonly servers: SimServer[];
  /** Undefined for a single Redis. */
  readonly cluster: Cluster | undefined;
  /** When the server has lost data, or its clock has jumped forward. */
  readonly losses: number[] = [];
  /** Those of them that no client could notice. */
  readonly silentLosses: number[] = [];
  /** When its clock has jumped back. */
  readonly delays: number[] = [];
  readonly #options: FleetOptions;
  #started = 0;
  /** The place of the server that faults are about. */
  readonly #focus: number;

  constructor(
    readonly world: World,
    options: FleetOptions,
  ) {
    this.#options = options;
    // Keys that move go on by the clock of another server.
    const rate = rateOf(world);
    this.servers = Array.from({ length: options.servers }, (_, place) => new SimServer(world, `redis ${place}`, rate));
    const onJump = () => {
      this.losses.push(world.now);
      this.delays.push(world.now);
    };
    this.cluster = options.servers > 1 ? new Cluster(world, this.servers, onJump) : undefined;
    this.#focus = world.random.integer(0, options.servers - 1);
    for (let place = 0; place < options.size; place += 1) this.start(place);
  }

  /** The one that faults are about. */
  get server(): SimServer {
    return this.servers[this.#focus]!;
  }

  set server(promoted: SimServer) {
    this.servers[this.#focus] = promoted;
    this.cluster?.join(this.#focus);
  }

  get isCluster(): boolean {
    return this.cluster !== undefined;
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
      const options = { process, link, takesBytes };
      const serverOf = (part: number) => this.servers[part]!;
      const client = this.isCluster
        ? new SimClusterClient({ ...options, count: this.servers.length, serverOf })
        : new SimClient({ ...options, serverOf: () => this.server });
      const store = redisStore(client);
      const member: Member = { process, client, store, link, startedAt: world.now, readyAt: Infinity };
      const missing = new Set<object>('nodes' in client ? client.nodes() : [client]);
      for (const node of missing as Set<SimClient>) {
        node.on('ready', () => {
          missing.delete(node);
          if (missing.size === 0) member.readyAt = Math.min(member.readyAt, world.now);
        });
      }
      this.members[place] = member;
      this.#options.onStart(member, place);
    });
  }

  /** Has all clients of a server connect again. */
  dropAll(server = this.server): void {
    for (const { client } of this.members) client.drop(server);
  }

  /** The server loses data. @param left what it has afterwards */
  lose(left = new Keyspace()): void {
    this.#options.onLoss?.(this.server, left);
    this.server.keyspace = left;
    this.losses.push(this.world.now);
  }
}

/** Clocks of machines differ by less than a thousandth. */
function rateOf({ random }: World): number {
  return 1 + (random.fraction() - 0.5) * 8e-4;
}

import type { RedisClient } from '../../../packages/redis/src/client/redis-client.js';
import type { SimServer } from '../redis/sim-server.js';
import { firstOwner, SLOTS, slotOf } from '../redis/slots.js';
import { SimClient, type ClientOptions, type SentScript } from './sim-client.js';

export interface ClusterClientOptions extends Omit<ClientOptions, 'serverOf'> {
  readonly count: number;
  /** The primary of a part of the slots: another one after a failover. */
  readonly serverOf: (part: number) => SimServer;
}

/** Those of ioredis for a client of the store. */
const MAX_REDIRECTIONS = 8;
const TRY_AGAIN_MS = 5;

/** A client of a Cluster. It has a client for each primary, and follows redirections as ioredis does. */
export class SimClusterClient implements RedisClient {
  readonly isCluster = true;
  readonly evalshaBuffer?: NonNullable<RedisClient['evalshaBuffer']>;
  readonly evalBuffer?: NonNullable<RedisClient['evalBuffer']>;
  readonly #nodes: readonly SimClient[];
  readonly #options: Omit<ClusterClientOptions, 'count' | 'serverOf'>;
  #slots: readonly (readonly string[])[];

  constructor({ count, serverOf, ...options }: ClusterClientOptions) {
    const makeNode = (_: unknown, part: number) =>
      new SimClient({ ...options, port: part, serverOf: () => serverOf(part) });
    this.#options = options;
    this.#nodes = Array.from({ length: count }, makeNode);
    this.#slots = slotsOf(this.#nodes.map(({ options: { host, port } }) => [`${host}:${port}`]));
    if (options.takesBytes) {
      this.evalshaBuffer = (script, keys, ...rest) => this.#send({ by: 'sha', script, keys, rest, isBytes: true });
      this.evalBuffer = (script, keys, ...rest) => this.#send({ by: 'source', script, keys, rest, isBytes: true });
    }
  }

  get status(): string {
    return this.#nodes.some(({ status }) => status === 'ready') ? 'ready' : 'connecting';
  }

  get repliedAt(): number {
    return Math.max(...this.#nodes.map(({ repliedAt }) => repliedAt));
  }

  get slots(): readonly (readonly string[])[] {
    return this.#slots;
  }

  nodes(): SimClient[] {
    return [...this.#nodes];
  }

  on(event: string, listener: () => void): void {
    for (const node of this.#nodes) node.on(event, listener);
  }

  evalsha(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown> {
    return this.#send({ by: 'sha', script, keys, rest, isBytes: false });
  }

  eval(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown> {
    return this.#send({ by: 'source', script, keys, rest, isBytes: false });
  }

  resetConnection(name?: string): void {
    for (const node of this.#nodes) if (name === `${node.options.host}:${node.options.port}`) node.drop();
  }

  /** All connections to a server are lost. */
  drop(server?: SimServer): void {
    for (const node of this.#nodes) node.drop(server);
  }

  end(): void {
    for (const node of this.#nodes) node.end();
  }

  async #send(command: SentScript): Promise<unknown> {
    const [key] = command.rest;
    const slot = key === undefined || command.keys === 0 ? 0 : slotOf(String(key));
    let node = this.#nodeOf(this.#slots[slot]![0]!);
    let isAsking = false;
    for (let left = MAX_REDIRECTIONS; ; left -= 1) {
      try {
        return await node.send(command, isAsking);
      } catch (error) {
        const { message } = error as Error;
        const [kind, , name = ''] = message.split(' ');
        isAsking = kind === 'ASK';
        if (kind !== 'MOVED' && kind !== 'ASK' && kind !== 'TRYAGAIN') throw error;
        if (left === 0) throw new Error(`Too many Cluster redirections. Last error: ${message}`, { cause: error });
        if (kind === 'TRYAGAIN') await this.#wait(TRY_AGAIN_MS);
        if (kind === 'MOVED') this.#slots = this.#slots.with(slot, [name]);
        node = this.#nodeOf(kind === 'ASK' ? name : this.#slots[slot]![0]!);
      }
    }
  }

  #nodeOf(name: string): SimClient {
    return this.#nodes[Number(name.slice(name.indexOf(':') + 1))]!;
  }

  #wait(milliseconds: number): Promise<void> {
    const { process } = this.#options;
    return new Promise((resolve) => process.world.after(milliseconds, () => process.deliver(resolve)));
  }
}

const slotMaps = new Map<number, readonly (readonly string[])[]>();

/** The names of the node of each slot. Clients of Clusters of one size share them. */
function slotsOf(names: readonly string[][]): readonly (readonly string[])[] {
  const count = names.length;
  const known = slotMaps.get(count) ?? Array.from({ length: SLOTS }, (_, slot) => names[firstOwner(slot, count)]!);
  slotMaps.set(count, known);
  return known;
}

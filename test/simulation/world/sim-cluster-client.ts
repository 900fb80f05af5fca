import { hashTag } from '../../../packages/core/src/stores/redis/client/hash-tag.js';
import type { RedisClient } from '../../../packages/core/src/stores/redis/client/redis-client.js';
import type { SimServer } from '../redis/sim-server.js';
import { SimClient, type ClientOptions } from './sim-client.js';

const SLOTS = 16_384;

export interface ClusterClientOptions extends Omit<ClientOptions, 'serverOf'> {
  readonly count: number;
  /** The primary of a part of the slots: another one after a failover. */
  readonly serverOf: (part: number) => SimServer;
}

/** A client of a Cluster whose primaries have equal parts of the slots. It has a client for each of them. */
export class SimClusterClient implements RedisClient {
  readonly isCluster = true;
  readonly slots: readonly (readonly string[])[];
  readonly evalshaBuffer?: NonNullable<RedisClient['evalshaBuffer']>;
  readonly evalBuffer?: NonNullable<RedisClient['evalBuffer']>;
  readonly #nodes: readonly SimClient[];

  constructor({ count, serverOf, ...options }: ClusterClientOptions) {
    const makeNode = (_: unknown, part: number) =>
      new SimClient({ ...options, port: part, serverOf: () => serverOf(part) });
    this.#nodes = Array.from({ length: count }, makeNode);
    const names = this.#nodes.map(({ options: { host, port } }) => [`${host}:${port}`]);
    this.slots = slotsOf(names);
    if (options.takesBytes) {
      this.evalshaBuffer = (sha, keys, ...rest) => this.#nodeOf(rest[0]).evalshaBuffer!(sha, keys, ...rest);
      this.evalBuffer = (source, keys, ...rest) => this.#nodeOf(rest[0]).evalBuffer!(source, keys, ...rest);
    }
  }

  get status(): string {
    return this.#nodes.some(({ status }) => status === 'ready') ? 'ready' : 'connecting';
  }

  nodes(): SimClient[] {
    return [...this.#nodes];
  }

  on(event: string, listener: () => void): void {
    for (const node of this.#nodes) node.on(event, listener);
  }

  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown> {
    return this.#nodeOf(rest[0]).evalsha(sha, keys, ...rest);
  }

  eval(source: string, keys: number, ...rest: (string | number)[]): Promise<unknown> {
    return this.#nodeOf(rest[0]).eval(source, keys, ...rest);
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

  #nodeOf(key: string | number | undefined): SimClient {
    return this.#nodes[key === undefined ? 0 : partOf(slotOf(String(key)), this.#nodes.length)]!;
  }
}

const slotMaps = new Map<number, readonly (readonly string[])[]>();

/** The names of the node of each slot. Clients of Clusters of one size share them. */
function slotsOf(names: readonly string[][]): readonly (readonly string[])[] {
  const count = names.length;
  const known = slotMaps.get(count) ?? Array.from({ length: SLOTS }, (_, slot) => names[partOf(slot, count)]!);
  slotMaps.set(count, known);
  return known;
}

function partOf(slot: number, count: number): number {
  return Math.floor((slot * count) / SLOTS);
}

/** CRC16 of the hash tag, as the specification of a Cluster has it. */
function slotOf(key: string): number {
  const tag = hashTag(key);
  let crc = 0;
  for (let at = 0; at < tag.length; at += 1) {
    crc ^= tag.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc % SLOTS;
}

import keySlot from 'cluster-key-slot';
import { Endpoint } from './endpoint.js';
import { nameOf, type RedisClient, type RedisNode } from '../client/redis-client.js';

/** What some clients can be told to do. */
interface Manageable extends RedisClient {
  /** Of a Cluster: asks who holds what. */
  refreshSlotsCache?(): void;
  /** Ends a connection for a new one. @param name `host:port` of a node of a Cluster */
  hangUp?(name?: string): void;
}

/** Milliseconds that pass before it is asked again. */
const LOOKED = 250;

/** The servers that the calls of a client go to: one, or those of a Cluster by the slots they hold. */
export class Endpoints {
  readonly #client: Manageable;
  readonly #whole: Endpoint;
  readonly #byName = new Map<string, Endpoint>();
  #lookedAt = -Infinity;

  constructor(client: Manageable) {
    this.#client = client;
    this.#whole = new Endpoint(client, { hangUp: client.hangUp && (() => client.hangUp!()) });
    if (client.isCluster !== true) return;
    for (const event of ['+node', '-node']) client.on?.(event, () => this.#refresh());
  }

  /** The server that holds a key. A client that does not tell its slots is taken for one server. */
  of(key: string | undefined): Endpoint {
    if (this.#client.isCluster !== true || key === undefined || this.#whole.readiness !== 'ready') return this.#whole;
    const name = this.#client.slots?.[keySlot(key)]?.[0];
    if (name === undefined) return this.#whole;
    const known = this.#byName.get(name);
    if (known) return known;
    const client = this.#client;
    const primary = new Endpoint(this.#nodes().get(name), {
      name,
      lookAgain: client.refreshSlotsCache && (() => this.#lookAgain()),
      hangUp: client.hangUp && (() => client.hangUp!(name)),
    });
    this.#byName.set(name, primary);
    return primary;
  }

  /**
   * Another may have taken the slots of one that does not answer. A client finds out when it is sent elsewhere, and one
   * that does not answer sends nobody anywhere.
   */
  #lookAgain(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOKED) return;
    this.#lookedAt = now;
    try {
      this.#client.refreshSlotsCache?.();
    } catch {
      // It is asked again in a moment, and others wait to be told.
    }
  }

  #nodes(): Map<string, RedisNode> {
    return new Map(this.#client.nodes?.().map((node) => [nameOf(node), node]));
  }

  /** Nodes come and go. One that no slot names any more is forgotten, with all that was held against it. */
  #refresh(): void {
    const nodes = this.#nodes();
    const named = new Set(this.#client.slots?.map(([name]) => name));
    for (const [name, primary] of this.#byName) {
      primary.follow(nodes.get(name));
      if (!nodes.has(name) && !named.has(name)) this.#byName.delete(name);
    }
  }
}

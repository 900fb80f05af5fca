import slotOf from 'cluster-key-slot';
import { nodeName, type RedisClient, type RedisNode } from '../client/redis-client.js';
import type { BreakerStats } from '@sluice/core/internal';
import { Endpoint } from './endpoint.js';

/** The members of a client that say where its servers are, and how they are. */
export interface ClusterClient extends Pick<
  RedisClient,
  'isCluster' | 'status' | 'on' | 'connect' | 'slots' | 'nodes' | 'resetConnection'
> {
  /** Fetches the slots again. */
  refreshSlotsCache?(): void;
}

/** A primary with few slots may need thousands of attempts to find a tag. */
const MAX_TAGS = 16_384;
/** Milliseconds between two refreshes of the slots. */
const MIN_REFRESH_INTERVAL_MS = 250;

/** How many milliseconds calls wait for a node that was never ready. */
interface NodeDeadlines {
  /** For a node that takes over slots later. */
  readonly deadline: number;
  /** For the first nodes, from the first call. */
  readonly connectDeadline: number;
}

/** The primaries of a Cluster, by the slots that they hold. */
export class ClusterEndpoints {
  readonly #client: ClusterClient;
  readonly #deadlines: NodeDeadlines;
  readonly #onReady: () => void;
  /** The time from which the first connections are late, in milliseconds of `performance.now()`. */
  #connectDueAt: number | undefined;
  readonly #byName = new Map<string, Endpoint>();
  readonly #watched = new WeakSet<RedisNode>();
  /** A call does not wait for a node that was ready before, although no call has needed it. */
  readonly #wasReady = new WeakSet<RedisNode>();
  #refreshedAt = -Infinity;

  /** @param onReady called when a primary is ready */
  constructor(client: ClusterClient, deadlines: NodeDeadlines, onReady: () => void) {
    this.#client = client;
    this.#deadlines = deadlines;
    this.#onReady = onReady;
    for (const event of ['+node', '-node']) client.on?.(event, () => this.#updateNodes());
    this.#watchNodes();
  }

  /** The primary of a key; undefined while the client is not ready or if it has no slots. */
  of(key: string): Endpoint | undefined {
    const { status = 'ready', slots } = this.#client;
    const name = status === 'ready' ? slots?.[slotOf(key)]?.[0] : undefined;
    if (name === undefined) {
      this.#connectBy();
      return undefined;
    }
    return this.#byName.get(name) ?? this.#create(name);
  }

  breakers(): readonly BreakerStats[] {
    return [...this.#byName].map(([primary, { breaker, isConnected }]) => ({
      state: breaker.state,
      isConnected,
      primary,
    }));
  }

  /** Hash tags of keys, one on each primary. Neighbours among the slots mostly have the same nodes, so few names are compared. */
  tagsOfPrimaries(): string[] {
    const { slots = [] } = this.#client;
    const missing = new Set<string | undefined>();
    let last: unknown = slots;
    for (const nodes of slots) if (nodes !== last) missing.add((last = nodes)?.[0]);
    const tags: string[] = [];
    for (let number = 0; missing.size > 0 && number < MAX_TAGS; number += 1) {
      const tag = `probe-${number}`;
      if (missing.delete(slots[slotOf(tag)]?.[0])) tags.push(tag);
    }
    return tags;
  }

  #create(name: string): Endpoint {
    const client = this.#client;
    const node = this.#nodes().get(name);
    const endpoint = new Endpoint(node, {
      name,
      wasReady: node !== undefined && this.#wasReady.has(node),
      connectDeadline: Math.max(this.#deadlines.deadline, this.#connectBy() - performance.now()),
      refreshTopology: client.refreshSlotsCache && (() => this.#refreshTopology()),
      resetConnection: client.resetConnection && (() => client.resetConnection!(name)),
      onReady: this.#onReady,
    });
    this.#byName.set(name, endpoint);
    return endpoint;
  }

  /** A call that has waited for the Cluster waits for one of its nodes no longer than for a server. */
  #connectBy(): number {
    this.#connectDueAt ??= performance.now() + this.#deadlines.connectDeadline;
    return this.#connectDueAt;
  }

  /** Finds a node that took over the slots of a failed one. A client learns that from redirects, which a dead node never sends. */
  #refreshTopology(): void {
    const now = performance.now();
    if (now - this.#refreshedAt < MIN_REFRESH_INTERVAL_MS) return;
    this.#refreshedAt = now;
    try {
      this.#client.refreshSlotsCache?.();
    } catch {
      // The next failing call refreshes again.
    }
  }

  #nodes(): Map<string, RedisNode> {
    return new Map(this.#client.nodes?.().map((node) => [nodeName(node), node]));
  }

  #watchNodes(): void {
    for (const node of this.#nodes().values()) {
      if (this.#watched.has(node)) continue;
      this.#watched.add(node);
      if (node.status === 'ready') this.#wasReady.add(node);
      else node.on('ready', () => this.#wasReady.add(node));
    }
  }

  /** Attaches new clients of nodes, and drops endpoints without a client and without slots. */
  #updateNodes(): void {
    this.#watchNodes();
    const nodes = this.#nodes();
    for (const [name, endpoint] of this.#byName) {
      endpoint.attach(nodes.get(name));
      if (!nodes.has(name) && !this.#client.slots?.some(([owner]) => owner === name)) this.#byName.delete(name);
    }
  }
}

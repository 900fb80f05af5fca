import { hash } from 'node:crypto';
import { memoryStore, type Store } from '@sluice/core';
import type { RedisClient } from '@sluice/redis';
import type { RedisNode } from '../../packages/redis/src/client/redis-client.js';
import { fakeClock, type FakeClock } from '@sluice/testing';
import type { Cluster, Redis } from 'ioredis';
import { patient } from '../support/patient.js';
import { redisStore } from '../../packages/redis/src/redis-store.js';
import { onScriptClock } from '../properties/twin/script-clock.js';
import { withCluster } from '../support/cluster.js';
import { withRedis } from '../support/redis-store.js';

/** Where a limiter keeps its state, on a clock that the test moves. */
export interface Place {
  readonly clock: FakeClock;
  /** A store of its own on the state of this place. */
  newStore(): Store;
  /** Closes its stores: a store that outlives its test renews the permits of the test. */
  close(): Promise<unknown>;
  /** Makes the keys whose name has a part unreadable. Only where there are keys of a server. */
  spoil?(part: string): Promise<void>;
  /** The keys of its server that no call has returned before. Only where there is a server. */
  newKeys?(): Promise<readonly PlacedKey[]>;
}

export interface PlacedKey {
  readonly key: string;
  readonly type: string;
  readonly expires: boolean;
}

/** On the hour, so that short waits stay within one slot of each window. */
const START = Date.UTC(2035, 0, 1);

/** Declares the same tests in memory, on a Redis and on a Cluster, where the two tiers of a limiter have two slots. */
export function onEveryPlace(define: (place: () => Place, name: string) => void): void {
  describe('in memory', () => define(() => memoryPlace(), 'memory'));

  describe('on Redis', () => {
    const opened = withRedis();
    define(() => redisPlace(opened.client), 'redis');
  });

  describe('on a Cluster', () => {
    const opened = withCluster();
    define(() => redisPlace(opened.client), 'cluster');
  });
}

/** @param clock of another place that must agree */
export function memoryPlace(clock = fakeClock(START)): Place {
  const stores = new Map<string, Store>();
  return {
    clock,
    newStore() {
      const store = stores.get('one') ?? memoryStore({ clock });
      stores.set('one', store);
      return store;
    },
    close: () => closeAll(stores.values()),
  };
}

export function redisPlace(client: Redis | Cluster): Place {
  const clock = fakeClock(START);
  const clocked = onClock(client, clock);
  const stores: Store[] = [];
  return {
    clock,
    newStore() {
      const store = redisStore({ ...clocked }, patient);
      stores.push(store);
      return store;
    },
    close: () => closeAll(stores),
    async spoil(part) {
      for (const node of nodesOf(client)) {
        for (const key of await node.keys(`*${part}*`)) await node.multi().del(key).rpush(key, 'spoiled').exec();
      }
    },
    async newKeys() {
      const found = await Promise.all(nodesOf(client).map((node) => newKeysOn(node)));
      return found.flat();
    },
  };
}

function nodesOf(client: Redis | Cluster): readonly Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}

/** All places of a file share a server. */
const returned = new WeakMap<Redis, Set<string>>();

async function newKeysOn(node: Redis): Promise<readonly PlacedKey[]> {
  const known = returned.get(node) ?? new Set();
  const all = await node.keys('*');
  const keys = all.filter((key) => !known.has(key));
  returned.set(node, new Set(all));
  const facts = await Promise.all(keys.map((key) => Promise.all([node.type(key), node.pttl(key)])));
  // One that has expired since has no type.
  return keys.flatMap((key, index) => {
    const [type, ttl] = facts[index]!;
    return type === 'none' ? [] : [{ key, type, expires: ttl >= 0 }];
  });
}

function closeAll(stores: Iterable<Store>): Promise<unknown> {
  return Promise.all(Array.from(stores, (store) => store.close()));
}

const REAL_CLOCK = /^local time = call\('TIME'\)\nlocal now_us = .*$/m;
/** The scripts of the product by SHA-1, as they run on the clock of a test. */
const clocked = new Map<string, { source: string; sha: string }>();

/** A script that is made for policies is known by its text, which the store sends where its SHA-1 is unknown. */
function clockedScript(source: string): { source: string; sha: string } {
  const sha = hash('sha1', source);
  const known = clocked.get(sha) ?? onScriptClock(source.replace(REAL_CLOCK, 'local now_us = fake_now'));
  clocked.set(sha, known);
  return known;
}

/** A node without events, because each history opens stores of its own, which would listen for ever. */
function readyNode({ options: { host, port } }: Redis): RedisNode {
  return { options: { host, port }, status: 'ready', on: () => undefined, connect: () => Promise.resolve() };
}

/** The client as a store sees it: each script reads the clock of the test, and keys expire by it. */
function onClock(client: Redis | Cluster, clock: FakeClock): RedisClient {
  const time = () => Math.round(clock() * 1e3);
  const reply = async (answer: Promise<unknown>) => ((await answer) as readonly unknown[])[1];
  return {
    isCluster: client.isCluster,
    // A store finds the primaries of a Cluster by its slots.
    ...('slots' in client && { slots: client.slots, nodes: () => client.nodes('master').map(readyNode) }),
    evalsha: (sha, keys, ...rest) => reply(client.evalsha(clocked.get(sha)?.sha ?? sha, keys, ...rest, time())),
    eval: (source, keys, ...rest) => reply(client.eval(clockedScript(source).source, keys, ...rest, time())),
  };
}

import { fairBy } from '@sluice/overload/fair';
import { createLimiter, memoryStore, run, type Limiter } from '@sluice/core';
import type { AbleStore } from '@sluice/core/own-store';
import { sharedLayers } from '@sluice/core/own-store';

export interface Tenant {
  readonly name: string;
  /** @default 1 */
  readonly weight?: number;
  /** Milliseconds that a request works. @default 100 */
  readonly holds?: number;
}

interface Working {
  readonly name: string;
  readonly process: number;
  from: number;
}

const HOLD_MS = 100;

/** Processes with one shared limit in flight on one memory store, and what each tenant got of it. */
export class Fleet {
  readonly limit: number;
  readonly limiters: readonly Limiter<Tenant>[];
  /** Milliseconds of work by tenant. */
  readonly worked = new Map<string, number>();
  /** Milliseconds of work by process. */
  readonly workedIn: number[] = [];
  /** The longest wait of each tenant, in milliseconds. */
  readonly longestWait = new Map<string, number>();
  /** Requests that work, and the time from which their work counts. */
  readonly #working = new Set<Working>();
  #endsAt = Infinity;
  #loops = 0;

  constructor({ processes = 1, limit = 20, fair = true }: { processes?: number; limit?: number; fair?: boolean } = {}) {
    const store = memoryStore({ clock: () => Date.now() });
    const shares = fairBy<Tenant>(({ name }) => name, { weight: ({ weight = 1 }) => weight });
    this.limit = limit;
    this.workedIn = new Array<number>(processes).fill(0);
    this.limiters = Array.from({ length: processes }, () =>
      createLimiter<Tenant>({
        store: processOn(store),
        name: 'workers',
        key: () => 'all',
        algorithm: 'concurrency',
        limit,
        ...(fair && { fair: shares }),
      }),
    );
  }

  /** Has so many requests of a tenant in flight or waiting at all times, spread over the processes. */
  floods(tenant: Tenant, requests: number, process?: number): void {
    for (let each = 0; each < requests; each += 1) void this.#loop(tenant, process ?? each % this.limiters.length, 0);
  }

  /** Has one request of a tenant at a time, each so many milliseconds after the one before it. */
  sends(tenant: Tenant, pause: number): void {
    void this.#loop(tenant, 0, pause);
  }

  /** Works so long, and forgets what happened before. */
  async works(milliseconds: number): Promise<void> {
    for (const request of this.#working) this.#count(request);
    this.worked.clear();
    this.workedIn.fill(0);
    this.longestWait.clear();
    await jest.advanceTimersByTimeAsync(milliseconds);
    for (const request of this.#working) this.#count(request);
  }

  /** Has no request begin any more, and waits for those at work. */
  async end(): Promise<void> {
    this.#endsAt = 0;
    while (this.#loops > 0) await jest.advanceTimersByTimeAsync(100);
  }

  /** The part of the limit that was used. */
  used(milliseconds: number): number {
    return [...this.worked.values()].reduce((sum, each) => sum + each, 0) / (this.limit * milliseconds);
  }

  #count(request: Working): void {
    const { name, process, from } = request;
    const now = performance.now();
    this.worked.set(name, (this.worked.get(name) ?? 0) + now - from);
    this.workedIn[process]! += now - from;
    request.from = now;
  }

  async #loop(tenant: Tenant, process: number, pause: number): Promise<void> {
    this.#loops += 1;
    while (performance.now() < this.#endsAt) {
      if (pause > 0) await after(pause);
      const askedAt = performance.now();
      await run(
        this.limiters[process]!,
        tenant,
        async () => {
          const { name } = tenant;
          this.longestWait.set(name, Math.max(this.longestWait.get(name) ?? 0, performance.now() - askedAt));
          const { holds = HOLD_MS } = tenant;
          const request = { name, process, from: performance.now() };
          this.#working.add(request);
          await after(holds);
          this.#count(request);
          this.#working.delete(request);
        },
        { wait: '30s' },
      );
    }
    this.#loops -= 1;
  }
}

/** Jain's index: 1 for equal shares, 1 / n where one of n has all. @param parts each by its weight */
export function jain(parts: readonly number[]): number {
  const sum = parts.reduce((all, each) => all + each, 0);
  return sum ** 2 / (parts.length * parts.reduce((all, each) => all + each ** 2, 0));
}

/** What another process sees of a store. */
function processOn(store: ReturnType<typeof memoryStore>): AbleStore {
  return {
    layers: sharedLayers,
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    renew: (receipts) => store.renew(receipts),
    reset: (keys) => store.reset(keys),
    recorded: (key) => store.recorded(key),
    close: () => store.close(),
  };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

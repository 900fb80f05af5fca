import { StoreError } from '@sluice/core/internal';
import type { Batcher } from './batch/batcher.js';
import type { ScriptCall } from './client/run-script.js';
import { splitByTag } from './cluster.js';
import type { CallRequest } from './connection/call.js';
import type { Script } from '@sluice/core/scripts';

type Arguments = readonly (string | number)[];

/** The calls of a store beside those of its batches. */
export class ScriptCalls {
  readonly #batcher: Batcher;
  isClosed = false;

  constructor(batcher: Batcher) {
    this.#batcher = batcher;
  }

  get isCluster(): boolean {
    return this.#batcher.connection.isCluster;
  }

  /** For each primary of a Cluster a hash tag in its slots. */
  tagsOfPrimaries(): readonly string[] {
    return this.#batcher.connection.tagsOfPrimaries();
  }

  /** The parts that can go into one call each. */
  split<T extends { readonly key: string }>(items: readonly T[]): readonly (readonly T[])[] {
    if (this.isCluster) return splitByTag(items);
    return items.length === 0 ? [] : [items];
  }

  /** Sends the pending checks, so that the next call runs after them. */
  flush(): void {
    this.#batcher.flush();
  }

  /** Also while the store closes. */
  run(script: Script, keys: readonly string[], args: Arguments = []): Promise<unknown> {
    return this.send({ script, keys, args });
  }

  send(call: ScriptCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#batcher.connection.send(requestOf(call, resolve, reject), performance.now());
    });
  }

  /** Also to a server that gets no requests after its failures. */
  sendAnyway(call: ScriptCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#batcher.connection.sendAnyway(requestOf(call, resolve, reject), performance.now());
    });
  }

  /** For calls that no request waits for. */
  runAside(script: Script, keys: readonly string[], args: Arguments = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.assertOpen();
      this.#batcher.connection.sendAside(requestOf({ script, keys, args }, resolve, reject), performance.now());
    });
  }

  /** @throws StoreError STORE_CLOSED */
  assertOpen(): void {
    if (this.isClosed) throw closedError();
  }

  close(): void {
    this.isClosed = true;
  }
}

export function closedError(): StoreError {
  return new StoreError('STORE_CLOSED', 'this store is closed');
}

export function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key);
}

function requestOf(
  call: ScriptCall,
  resolve: (reply: unknown) => void,
  reject: (error: StoreError) => void,
): CallRequest {
  return { encode: () => call, groups: 0, decode: (reply) => reply, resolve, reject };
}

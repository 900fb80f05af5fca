import { type Claim, DEFAULT_PREFIX } from '@sluice/core/internal';
import type { Batcher } from './batch/batcher.js';
import { PROBE_CLAIM } from './connection/probe.js';
import { isRefusal } from './connection/classify-error.js';
import type { ScriptCalls } from './script-calls.js';

const READY_TIMEOUT_MS = 10_000;
const READY_RETRY_MS = 50;

interface ReadyContext {
  readonly batcher: Batcher;
  readonly calls: ScriptCalls;
  /** Those of the limiters that exist. */
  readonly prefixes: () => ReadonlySet<string>;
}

/** Resolves when Redis decides requests. @throws StoreError with the reason why it does not */
export async function untilReady(context: ReadyContext): Promise<void> {
  const giveUpAt = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    context.calls.assertOpen();
    try {
      await tryScript(context);
      return;
    } catch (error) {
      if (isRefusal(error) || performance.now() >= giveUpAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, READY_RETRY_MS));
  }
}

/** Decides requests of its own. Two keys in one call fail on a node of a Cluster whose client does not know that it is one. */
async function tryScript({ batcher, calls, prefixes }: ReadyContext): Promise<void> {
  const known = prefixes();
  for (const prefix of known.size === 0 ? [DEFAULT_PREFIX] : known) {
    const claimOf = (tag: string): Claim => ({ ...PROBE_CLAIM, key: `${prefix}:{${tag}}:probe` });
    if (calls.isCluster) {
      // A client of a Cluster knows its primaries when it has connected.
      await batcher.consume([claimOf('probe')]);
      await Promise.all(calls.tagsOfPrimaries().map((tag) => batcher.consume([claimOf(tag)])));
    } else await batcher.consume([claimOf('probe'), claimOf('other')]);
  }
}

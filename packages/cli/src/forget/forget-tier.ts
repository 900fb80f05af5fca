import { KEY_LOSSES, type KeyLoss, type KeyName } from '@sluice/metrics/operations';
import { auditLog, type Act } from '@sluice/policies';
import { newId } from '@sluice/policies/operations';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { keyTable } from '../keys/key-table.js';
import { keyPrefixOf } from '../keys/keys.js';
import { ask, ownName, scan } from '../keys/scan.js';
import type { FoundKey } from '../keys/tally.js';
import { authorOf, reasonOf } from '../policies/policies-source.js';
import { prefixesOf } from '../sources/prefixes.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';
import { agreed } from '../terminal/agreed.js';

export interface TierOptions {
  readonly config?: string;
  readonly tier?: readonly string[];
  readonly rate: number;
  readonly yes?: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** Kinds that a tier may lose for all clients at a stroke. Credits, bills and limits are worth something to others. */
const FORGOTTEN: ReadonlySet<KeyLoss> = new Set(['counts', 'texts', 'nothing']);

/** Forgets all clients of tiers, also of tiers that no program has any more, after it has counted their keys. */
export async function forgetTier(invocation: Invocation<TierOptions>): Promise<ExitCode> {
  const { options, terminal } = invocation;
  const { tier: tiers = [] } = options;
  if (tiers.length === 0) {
    throw usage('write a client, such as: sluice forget ip 203.0.113.7, or --tier NAME for all clients of a tier');
  }
  const source = await openRedis(invocation.options);
  try {
    const [kept, names] = [new Map<KeyLoss, number>(), tiers.join(', ')];
    let count = 0;
    await visit(source, invocation, (found) => {
      for (const { name } of found) {
        if (FORGOTTEN.has(name.kind.loss)) count += 1;
        else kept.set(name.kind.loss, (kept.get(name.kind.loss) ?? 0) + 1);
      }
      terminal.progress(`${count} keys …`);
    });
    for (const [loss, keys] of kept) {
      terminal.note(`${keys === 1 ? '1 key stays, which holds' : `${keys} keys stay, which hold`} ${KEY_LOSSES[loss]}`);
    }
    if (count > 0 && !(await agreed(terminal, `Forget all clients of ${names}, ${count} keys?`, options.yes))) {
      return ExitCode.fine;
    }
    let forgotten = 0;
    if (count > 0) await visit(source, invocation, async (found) => void (forgotten += await unlink(found)));
    if (forgotten > 0) await auditLog(source.openStore()).report(actOf(invocation, forgotten));
    if (terminal.isJson) terminal.document({ tiers, forgotten });
    else terminal.print(count === 0 ? `no keys of ${names}` : `forgot all clients of ${names}: ${forgotten} keys`);
    if (count > 0)
      terminal.note('processes that have denied clients recently may deny them for up to 60 s more (deny cache)');
    return ExitCode.fine;
  } finally {
    await source.close();
  }
}

/** It has no time of the store, because the keys were on all of its servers. @throws Failure */
function actOf({ options }: Invocation<TierOptions>, keys: number): Act {
  const [by, reason] = [authorOf(options.by), options.reason && reasonOf(options.reason)];
  const detail = { tier: options.tier!.join(', '), keys };
  return { id: newId(), at: Date.now(), operation: 'forget', by, ...(reason && { reason }), tiers: [], detail };
}

/** A key of a tier on its server. */
type NamedKey = Pick<FoundKey, 'redis'> & { readonly name: KeyName; readonly bytes: Buffer };

/** Calls back with the keys of the tiers, page by page. A key may come twice. */
async function visit(
  source: RedisSource,
  { options, signal }: Invocation<TierOptions>,
  act: (found: readonly NamedKey[]) => unknown,
): Promise<void> {
  const keyPrefix = keyPrefixOf(source);
  const table = keyTable(prefixesOf(source).map((prefix) => keyPrefix + prefix));
  const nameOf = (key: string): KeyName | undefined => {
    const name = table.find(key);
    return name?.tier !== undefined && options.tier!.includes(name.tier) ? name : undefined;
  };
  const accepts = (key: string) => nameOf(key) !== undefined;
  for (const redis of source.primaries()) {
    for await (const found of scan(redis, { accepts, rate: options.rate, signal })) {
      await act(found.map((each) => ({ redis, bytes: each.name, name: nameOf(each.key)! })));
    }
  }
}

/** @returns how many keys were there */
async function unlink(found: readonly NamedKey[]): Promise<number> {
  const ours = found.filter(({ name }) => FORGOTTEN.has(name.kind.loss));
  if (ours.length === 0) return 0;
  const { redis } = ours[0]!;
  const replies = await ask(
    redis,
    ours.map(({ bytes }) => ['unlink', ownName(redis, bytes)]),
  );
  if (replies.includes(undefined)) throw usage('the user may not delete keys', '  redis-cli ACL SETUSER NAME +unlink');
  return replies.reduce<number>((sum, reply) => sum + Number(reply), 0);
}

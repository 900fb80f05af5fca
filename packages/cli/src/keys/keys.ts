// keys/ counts the keys that Sluice has in Redis, by limiter and kind. A connection enters, and an inventory leaves. It
// imports sources, terminal, invocation and failure.
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { prefixesOf } from '../sources/prefixes.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';
import { shell } from '../terminal/shell.js';
import type { Terminal } from '../terminal/terminal.js';
import { Inventory } from './inventory.js';
import { knownShapes } from './known-shapes.js';
import { inventoryDocument, printInventory } from './print-inventory.js';
import { patternOf, scan } from './scan.js';

/** For notes. */
const OTHER_TIERS = 'a limiter chooses its tiers by request';

interface KeysOptions {
  readonly config?: string;
  readonly rate: number;
}

/** Counts the keys of limiters, and finds those that should not be there. It changes nothing. */
export async function keys({ options, terminal, signal }: Invocation<KeysOptions>): Promise<ExitCode> {
  const source = await openRedis(options);
  try {
    const { limiters } = source;
    const inventory = await takeInventory(source, { rate: options.rate, terminal, signal }).catch((error: Error) => {
      throw error.message.startsWith('NOPERM') ? refused(source, error) : error;
    });
    if (limiters.some(({ hasOtherTiers }) => hasOtherTiers)) {
      terminal.note(`${OTHER_TIERS}, so shapes without a tier are not looked for: list them as its option plans`);
    }
    if (terminal.isJson) terminal.document(inventoryDocument(inventory));
    else printInventory(inventory, terminal);
    return inventory.isFit ? ExitCode.fine : ExitCode.found;
  } finally {
    await source.close();
  }
}

function refused(source: RedisSource, { message }: Error): Error {
  const user = source.primaries()[0]?.options.username ?? 'default';
  return usage(message, `  ${shell`redis-cli ACL SETUSER ${user} +scan`}`);
}

interface InventoryOptions {
  /** Most of the time that Redis spends on it, in percent. */
  readonly rate: number;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Finds the keys of limiters on every primary. */
export async function takeInventory(source: RedisSource, options: InventoryOptions): Promise<Inventory> {
  const { rate, terminal, signal } = options;
  const keyPrefix = keyPrefixOf(source);
  const prefixes = prefixesOf(source).map((prefix) => keyPrefix + prefix);
  const inventory = new Inventory(prefixes, knownShapes(source.limiters, keyPrefix));
  const accepts = (key: string) => prefixes.some((prefix) => key.startsWith(`${prefix}:`));
  // Several prefixes are separated here, because each pattern would need a scan of its own.
  const pattern = prefixes.length === 1 ? patternOf(prefixes[0]!) : undefined;
  for (const redis of source.primaries()) {
    for await (const found of scan(redis, { pattern, accepts, rate, signal })) {
      for (const each of found) inventory.add(each);
      terminal.progress(`${inventory.keys} keys …`);
    }
  }
  await inventory.measure();
  return inventory;
}

/** What the client adds to every key. */
export function keyPrefixOf({ client }: RedisSource): string {
  const { keyPrefix, redisOptions } = client.options as { keyPrefix?: string; redisOptions?: { keyPrefix?: string } };
  return keyPrefix ?? redisOptions?.keyPrefix ?? '';
}

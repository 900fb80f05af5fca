import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { prefixesOf } from '../sources/prefixes.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';
import { Inventory } from './inventory.js';
import { knownShapes } from './known-shapes.js';
import { inventoryDocument, printInventory } from './print-inventory.js';
import { scan } from './scan.js';

interface KeysOptions {
  readonly config?: string;
  readonly rate: number;
}

/** Counts the keys of limiters, and finds those that should not be there. It changes nothing. */
export async function keys({ options, terminal, signal }: Invocation<KeysOptions>): Promise<ExitCode> {
  const source = await openRedis(options);
  try {
    const { limiters } = source;
    const keyPrefix = keyPrefixOf(source);
    const prefixes = prefixesOf(source).map((prefix) => keyPrefix + prefix);
    const inventory = new Inventory(prefixes, knownShapes(limiters, keyPrefix));
    for (const redis of source.primaries()) {
      for await (const found of scan(redis, { prefixes, rate: options.rate, signal })) {
        for (const each of found) inventory.add(each);
        terminal.progress(`${inventory.keys} keys …`);
      }
    }
    await inventory.measure();
    if (limiters.some(({ tiers }) => tiers.length === 0)) {
      terminal.note('a limiter chooses its tiers by request, so shapes without a tier are not looked for');
    }
    if (terminal.isJson) terminal.document(inventoryDocument(inventory, prefixes));
    else printInventory(inventory, terminal);
    return inventory.isFit ? ExitCode.fine : ExitCode.found;
  } finally {
    await source.close();
  }
}

/** What the client adds to every key. */
function keyPrefixOf({ client }: RedisSource): string {
  const { keyPrefix, redisOptions } = client.options as { keyPrefix?: string; redisOptions?: { keyPrefix?: string } };
  return keyPrefix ?? redisOptions?.keyPrefix ?? '';
}

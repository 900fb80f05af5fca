import { existsSync } from 'node:fs';
import { usage } from '../failure.js';
import { importedModule } from '../sources/imported-module.js';
import type { AnyTier } from './any-tier.js';
import { policyTiers } from './policy-tiers.js';
import { typedTier } from './typed-tier.js';

/** Milliseconds that the import of a module may take. */
const TIMEOUT_MS = 5_000;

/**
 * The tiers of `--limits` or `--against`: texts of tiers, modules that export `tiers`, or files of policies. Core checks their
 * options.
 *
 * @param option for messages
 */
export async function readLimits<S>(option: string, texts: readonly string[]): Promise<readonly AnyTier<S>[]> {
  const tiers = await Promise.all(
    texts.map((text) => (isTier(text) ? [typedTier<S>(option, text)] : tiersIn<S>(option, text))),
  );
  return tiers.flat();
}

function isTier(text: string): boolean {
  const [first = ''] = text.trim().split(/\s+/);
  return !existsSync(text) && (first.includes('=') || /^\d+\//.test(first));
}

/** @throws Failure for a file that is missing, fails or exports no tiers */
async function tiersIn<S>(option: string, file: string): Promise<readonly AnyTier<S>[]> {
  if (!existsSync(file)) throw usage(`${option} ${file}: there is no such file; write limits as 300/1m`);
  if (/\.(ya?ml|json)$/i.test(file)) return policyTiers(option, file);
  const name = `${option} ${file}`;
  const module = await importedModule<{ readonly tiers?: unknown }>(file, { name, timeout: TIMEOUT_MS });
  const { tiers } = module;
  if (Array.isArray(tiers) && tiers.length > 0)
    return tiers.map((tier: AnyTier<S>, index) => ({ ...tier, name: tier.name ?? `tier ${index + 1}` }));
  throw usage(
    `${option} ${file} must export tiers, such as`,
    "  export const tiers = [{ name: 'ip-minute', limit: 300, window: '1m' }];",
  );
}

// limits/ reads the limits that a simulation or a replay tries: texts of tiers (typed-tier.ts), modules, and files of
// policies (policy-tiers.ts). Texts of limits enter, and limiters on simulated time leave. It imports sources and
// failure.
import { existsSync } from 'node:fs';
import { usage } from '../failure/failure.js';
import { importedModule } from '../sources/imported-module.js';
import type { AnyTier } from './any-tier.js';
import type { AnyLimiter } from './limiters.js';
import { policyLimiters } from './policy-tiers.js';
import { typedTier } from './typed-tier.js';

/** Milliseconds that the import of a module may take. */
const TIMEOUT_MS = 5_000;

export interface LimitsSource {
  /** The option, for messages. */
  readonly option: string;
  /** The one limiter of a file of policies to try. @default all, each at its routes */
  readonly limiter?: string | undefined;
}

/**
 * The limiters of `--limits` or `--against`: texts of tiers and modules that export `tiers` are one limiter together, and a
 * file of policies has several. Core checks their options.
 */
export async function readLimiters<S>(
  source: LimitsSource,
  texts: readonly string[],
): Promise<readonly AnyLimiter<S>[]> {
  const limiters = await Promise.all(texts.map((text) => limitersIn<S>(source, text)));
  const ofFiles = limiters.flat().filter(({ name }) => name !== undefined);
  const tiers = limiters.flat().flatMap((limiter) => (limiter.name === undefined ? limiter.tiers : []));
  return tiers.length === 0 ? ofFiles : [{ tiers }, ...ofFiles];
}

/**
 * The tiers of one limiter, for a tool whose requests have no paths.
 *
 * @throws Failure for several limiters of a file, which stand at different routes
 */
export async function readLimits<S>(source: LimitsSource, texts: readonly string[]): Promise<readonly AnyTier<S>[]> {
  const limiters = await readLimiters<S>(source, texts);
  const names = limiters.flatMap(({ name }) => name ?? []);
  if (names.length < 2) return limiters.flatMap(({ tiers }) => tiers);
  throw usage(
    `${source.option}: ${names.join(' and ')} stand at different routes, and these requests have no path.`,
    `Pass one, as --limiter ${names[0]!}`,
  );
}

async function limitersIn<S>({ option, limiter }: LimitsSource, text: string): Promise<readonly AnyLimiter<S>[]> {
  if (isTier(text)) return [{ tiers: [typedTier<S>(option, text)] }];
  if (!existsSync(text)) throw usage(`${option} ${text}: there is no such file; write limits as 300/1m`);
  if (/\.(ya?ml|json)$/i.test(text)) return policyLimiters<S>(option, text, limiter);
  return [{ tiers: await tiersIn<S>(option, text) }];
}

function isTier(text: string): boolean {
  const [first = ''] = text.trim().split(/\s+/);
  return !existsSync(text) && (first.includes('=') || /^\d+\//.test(first));
}

/** @throws Failure for a module that fails or exports no tiers */
async function tiersIn<S>(option: string, file: string): Promise<readonly AnyTier<S>[]> {
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

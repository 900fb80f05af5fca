import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { notImported, usage } from '../failure.js';
import type { AnyTier } from './any-tier.js';
import { policyTiers } from './policy-tiers.js';

/** The text of one tier: `300/1m`, `9000/month`, `100/1h token-bucket burst=20`, `20/1s+300/1m`, `limit=300 window=1m name=ip`. */
const RATE = /^(\d+)\/([^\s/+]+)$/;
const PERIOD = /^(day|week|month|year)$/;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/**
 * The tiers of `--limits` or `--against`: texts of tiers, modules that export `tiers`, or files of policies. Core checks their
 * options.
 *
 * @param option for messages
 */
export async function readLimits<S>(option: string, texts: readonly string[]): Promise<readonly AnyTier<S>[]> {
  const tiers = await Promise.all(
    texts.map((text) => (isTier(text) ? [tierOf<S>(option, text)] : tiersIn<S>(option, text))),
  );
  return tiers.flat();
}

function isTier(text: string): boolean {
  const [first = ''] = text.trim().split(/\s+/);
  return !existsSync(text) && (first.includes('=') || /^\d+\//.test(first));
}

function tierOf<S>(option: string, text: string): AnyTier<S> {
  const options: Record<string, unknown> = {};
  for (const word of text.trim().split(/\s+/)) Object.assign(options, optionsIn(option, word));
  return { name: nameOf(options), ...options };
}

/** What one word of a tier sets. @throws Failure for another word */
function optionsIn(option: string, word: string): object {
  const rates = word.split('+').map((each) => RATE.exec(each));
  if (rates.every((rate) => rate !== null)) {
    const windows = rates.map(([, limit, window]) => ({ limit: Number(limit), window }));
    const [{ limit, window }] = windows as [(typeof windows)[number]];
    if (windows.length === 1)
      return PERIOD.test(window!) ? { algorithm: 'fixed-window', limit, period: window } : windows[0]!;
    return { algorithm: 'multi-window', windows };
  }
  const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
  if (name !== undefined && value !== undefined) return { [name]: valueOf(value) };
  if (/^[a-z]+(-[a-z]+)*$/.test(word)) return { algorithm: word };
  throw usage(`${option}: "${word}" is no part of a limit: write 300/1m, or 300/1m token-bucket burst=50`);
}

function valueOf(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text);
  return FLAGS[text] ?? text;
}

/** Names a tier by its numbers. */
function nameOf({ limit, period, window = period, windows }: Record<string, unknown>): string {
  const rates = (windows as readonly Record<string, unknown>[] | undefined) ?? [{ limit, window }];
  return rates.map((rate) => `${String(rate['limit'])}/${String(rate['window'])}`).join('+');
}

/** @throws Failure for a file that is missing, fails or exports no tiers */
async function tiersIn<S>(option: string, file: string): Promise<readonly AnyTier<S>[]> {
  if (!existsSync(file)) throw usage(`${option} ${file}: there is no such file; write limits as 300/1m`);
  if (/\.(ya?ml|json)$/i.test(file)) return policyTiers(option, file);
  let module: { readonly tiers?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as typeof module;
  } catch (error) {
    throw usage(...notImported(`${option} ${file}`, error));
  }
  const { tiers } = module;
  if (Array.isArray(tiers) && tiers.length > 0)
    return tiers.map((tier: AnyTier<S>, index) => ({ ...tier, name: tier.name ?? `tier ${index + 1}` }));
  throw usage(
    `${option} ${file} must export tiers, such as`,
    "  export const tiers = [{ name: 'ip-minute', limit: 300, window: '1m' }];",
  );
}

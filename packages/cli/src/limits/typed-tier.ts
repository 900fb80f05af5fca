import { usage } from '../failure/failure.js';
import type { AnyTier } from './any-tier.js';

/** The text of one tier: `300/1m`, `9000/month`, `100/1h token-bucket burst=20`, `20/1s+300/1m`, `limit=300 window=1m name=ip`. */
const RATE = /^(\d+)\/([^\s/+]+)$/;
const PERIOD = /^(day|week|month|year)$/;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The tier of a text. Core checks its options. @param option for messages @throws Failure for a word that is no part of a tier */
export function typedTier<S>(option: string, text: string): AnyTier<S> {
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

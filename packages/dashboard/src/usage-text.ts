import type { TierUsage } from '@sluice/quotas';
import { grouped } from './policy-text.js';

const HOUR_MS = 3_600_000;

/** What a client has used, in words: `usage: 4 units in this hour, 120 in 24 hours, 3 400 in 62 days`. */
export function usageText({ units, hours }: TierUsage, now: number): string {
  const current = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = (from: number) => hours.reduce((sum, each) => (each.from >= from ? sum + each.units : sum), 0);
  const [hour, day] = [since(current), since(current - 23 * HOUR_MS)];
  return `usage: ${grouped(hour)} units in this hour, ${grouped(day)} in 24 hours, ${grouped(units)} in 62 days`;
}

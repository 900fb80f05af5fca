import { bucketsOf } from '../../packages/metrics/src/instruments.js';
import { membersOf, violatedPolicies } from '../support/responses.js';
import type { TestResponse } from '../support/site.js';

const REASONS: Readonly<Record<number, string>> = { 200: 'ok', 422: 'never', 429: 'denied' };

/** What clients saw of their limits, as the series that an operator should see. */
export class Sightings {
  readonly responses: readonly TestResponse[];

  constructor(responses: readonly TestResponse[]) {
    this.responses = responses;
  }

  get admitted(): number {
    return this.responses.filter(({ status }) => status === 200).length;
  }

  /** By status. */
  decisions(source: string): readonly string[] {
    return this.responses.map(
      ({ status }) => `sluice_decisions_total{sluice_reason="${REASONS[status]}",sluice_source="${source}"}`,
    );
  }

  /** Denials by a tier. */
  denials(tier: string): number {
    return this.responses.filter((response) => deniersOf(response).includes(tier)).length;
  }

  /** By the fields of the draft, which list all tiers but those in shadow mode. */
  outcomes(): readonly string[] {
    return this.responses.flatMap((response) => {
      const quotas = new Map(membersOf(response, 'ratelimit-policy').map(({ name, q }) => [name, Number(q)]));
      const deniers = deniersOf(response);
      return membersOf(response, 'ratelimit').map(({ name, r, t }) => {
        const allowed = Number(r) <= quotas.get(name)! * 0.2 ? 'near' : 'within';
        const denied = t === undefined ? 'never' : 'over';
        const outcome = deniers.includes(name) ? denied : allowed;
        return `sluice_tier_outcomes_total{sluice_outcome="${outcome}",sluice_shadow="false",sluice_tier="${String(name)}"}`;
      });
    });
  }

  /** By the waits that bodies name, in milliseconds. */
  delays(tier: string): Record<string, unknown> {
    const waits = this.responses.map(({ text }) => Number(text)).filter((wait) => wait > 0);
    const bounds = ['+Inf', ...bucketsOf('sluice.tier.delay')].map((le) => {
      const upTo = le === '+Inf' ? waits : waits.filter((wait) => wait <= Number(le) * 1e3);
      return [`sluice_tier_delay_seconds_bucket{le="${le}",sluice_tier="${tier}"}`, upTo.length] as const;
    });
    return {
      ...Object.fromEntries(bounds),
      [`sluice_tier_delay_seconds_count{sluice_tier="${tier}"}`]: waits.length,
      [`sluice_tier_delay_seconds_sum{sluice_tier="${tier}"}`]: expect.closeTo(
        waits.reduce((sum, wait) => sum + wait, 0) / 1e3,
      ),
    };
  }
}

function deniersOf(response: TestResponse): readonly unknown[] {
  return response.status === 200 ? [] : (violatedPolicies(response) as unknown[]);
}

/** How often each text occurs. */
export function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

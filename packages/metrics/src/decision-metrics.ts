import type { Decision, Source } from '@sluice/core/internal';
import { attributes } from './attributes.js';
import type { NumberPoint } from './point.js';

const REASONS = attributes['sluice.reason'].values;
const SOURCES = attributes['sluice.source'].values;

/** Decisions by reason and source. */
export class DecisionMetrics {
  readonly #counts = Object.fromEntries(REASONS.map((reason) => [reason, zeros()])) as Record<
    Decision['reason'],
    Record<Source, number>
  >;

  count({ reason, source }: Decision): void {
    this.#counts[reason][source] += 1;
  }

  points(): readonly NumberPoint[] {
    return REASONS.flatMap((reason) =>
      SOURCES.filter((source) => canDecide(source, reason)).map((source) => ({
        attributes: { 'sluice.reason': reason, 'sluice.source': source },
        value: this.#counts[reason][source],
      })),
    );
  }
}

function zeros(): Record<Source, number> {
  return Object.fromEntries(SOURCES.map((source) => [source, 0])) as Record<Source, number>;
}

/** Other combinations do not exist, and need no series. */
function canDecide(source: Source, reason: Decision['reason']): boolean {
  if (reason === 'unavailable') return source === 'none';
  return source !== 'deny-cache' || reason === 'denied';
}

import type { Instrument, Measures } from '../../core/src/internal/index.js';
import { lineMeasures } from '../../overload/src/line/line-measures.js';
import { shedMeasures } from '../../overload/src/shed/shed-measures.js';
import { queueMeasures } from '../../overload/src/queues/queue-measures.js';
import { attributes } from './attributes.js';
import { instruments } from './instruments.js';
import { prometheusName } from './prometheus-name.js';

const features: readonly Measures[] = [shedMeasures, queueMeasures, lineMeasures];
const all: readonly Instrument[] = [...instruments, ...features.flatMap((feature) => feature.instruments)];

describe('instruments', () => {
  it('have names by the rules of OpenTelemetry, each once', () => {
    const names = all.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^sluice(\.[a-z]+)+$/);
    expect(names.filter((name) => name.endsWith('total'))).toEqual([]);
  });

  it('have attributes that the table of attributes describes, and all of those are used', () => {
    expect(new Set(all.flatMap((each) => each.attributes))).toEqual(
      new Set([attributes, ...features.map((feature) => feature.attributes)].flatMap((each) => Object.keys(each))),
    );
  });

  it('have ascending buckets if they are histograms', () => {
    for (const { kind, buckets = [] } of all) {
      expect(buckets.length > 0).toBe(kind === 'histogram');
      expect(buckets.toSorted((one, other) => one - other)).toEqual(buckets);
    }
  });
});

describe('prometheusName', () => {
  it('is what the translation of OTLP makes of each kind of instrument', () => {
    const nameOf = (name: string) => prometheusName(all.find((each) => each.name === name)!);

    expect(nameOf('sluice.decisions')).toBe('sluice_decisions_total');
    expect(nameOf('sluice.tier.limit')).toBe('sluice_tier_limit');
    expect(nameOf('sluice.call.duration')).toBe('sluice_call_duration_seconds');
    expect(nameOf('sluice.call.requests')).toBe('sluice_call_requests');
    expect(nameOf('sluice.degraded.time')).toBe('sluice_degraded_time_seconds_total');
    expect(nameOf('sluice.breaker.open')).toBe('sluice_breaker_open');
    expect(nameOf('sluice.top.share')).toBe('sluice_top_share_ratio');
  });
});

import * as fc from 'fast-check';
import { Breaker, type BreakerState } from './breaker.js';

const problem = 'no reply within 50 ms';
const shortest = () => 0;
const longest = () => 1 - Number.EPSILON;

function breakerWith(random = longest) {
  const states: BreakerState[] = [];
  const openTimes: number[] = [];
  const breaker = new Breaker((state, { openFor }) => {
    states.push(state);
    if (openFor !== undefined) openTimes.push(openFor);
  }, random);
  return { breaker, states, openTimes };
}

function failAt(breaker: Breaker, ...times: number[]): void {
  for (const now of times) breaker.record('call', now, problem);
}

/** A breaker that opened at 1 000. */
function openBreaker(random = longest) {
  const made = breakerWith(random);
  failAt(made.breaker, 0, 1, 2, 3, 1_000);
  return made;
}

describe('Breaker, closed', () => {
  it('opens at the fifth failure in a row, at least 250 ms after the first', () => {
    const { breaker, states } = breakerWith();

    failAt(breaker, 1_000, ...Array.from({ length: 17 }, (_, index) => 1_001 + index), 1_249.999);
    const before = [breaker.state, breaker.admit(1_249.999)];
    failAt(breaker, 1_250);

    expect(before).toEqual(['closed', 'call']);
    expect([breaker.state, breaker.admit(1_250)]).toEqual(['open', 'reject']);
    expect(states).toEqual(['open']);
  });

  it('stays closed after four failures, however far apart', () => {
    const { breaker } = breakerWith();

    failAt(breaker, 0, 60_000, 120_000, 180_000);

    expect(breaker.state).toBe('closed');
  });

  it('starts a new row after every success', () => {
    const { breaker } = breakerWith();

    failAt(breaker, 0, 100, 200, 300);
    breaker.record('call', 350);
    failAt(breaker, 400, 500, 600, 649.999);

    expect(breaker.state).toBe('closed');
    failAt(breaker, 650);
    expect(breaker.state).toBe('open');
  });

  it('opens once when many calls fail at the same time', () => {
    const { breaker, states } = breakerWith();

    failAt(breaker, 0, ...Array<number>(100).fill(300));

    expect(states).toEqual(['open']);
  });

  it('reports the last problem and the time until the probe', () => {
    const changes: unknown[] = [];
    const breaker = new Breaker((state, details) => changes.push({ state, ...details }), shortest);

    failAt(breaker, 0, 1, 2, 3);
    breaker.record('call', 250, 'READONLY');

    expect(changes).toEqual([{ state: 'open', problem: 'READONLY', openFor: 125 }]);
  });

  it('does not report a reset', () => {
    const { breaker, states } = breakerWith();

    breaker.reset();

    expect(states).toEqual([]);
  });
});

describe('Breaker, ratio of failures', () => {
  /** Records calls, `interval` milliseconds apart: `1` failed, `0` succeeded. */
  function record(breaker: Breaker, outcomes: string, from: number): void {
    for (const [index, outcome] of outcomes.split('').entries()) {
      breaker.record('call', from + index * 10, outcome === '1' ? problem : undefined);
    }
  }

  it.each([
    ['opens when half of 20 calls failed', '01'.repeat(10), 'open'],
    ['ignores fewer than 20 calls', '1101101101101101101', 'closed'],
    ['stays closed while less than half of the calls fail', `${'01'.repeat(9)}00${'01'.repeat(100)}`, 'closed'],
  ])('%s', (_name, outcomes, state) => {
    const { breaker } = breakerWith();

    record(breaker, outcomes, 0);

    expect(breaker.state).toBe(state);
  });

  it('counts calls of the last nine seconds', () => {
    const { breaker } = breakerWith();

    record(breaker, '01'.repeat(9), 500);
    record(breaker, '01', 9_400);

    expect(breaker.state).toBe('open');
  });

  it.each([9_500, 10_000, 11_000, 19_000, 20_000, 100_000, 1e9])('forgets calls before a pause of %d ms', (pause) => {
    const { breaker } = breakerWith();

    record(breaker, '01'.repeat(9), 500);
    record(breaker, '001', 500 + pause);

    expect(breaker.state).toBe('closed');
  });
});

describe('Breaker, open', () => {
  it.each([
    ['125 ms', shortest, 125],
    ['187.5 ms', () => 0.5, 187.5],
    ['250 ms', longest, 250],
  ])('admits a probe after a random time between 125 and 250 ms: %s', (_time, random, openFor) => {
    const { breaker, openTimes } = openBreaker(random);

    expect(openTimes[0]).toBeCloseTo(openFor);
    expect(breaker.admit(1_000 + openTimes[0]! - 0.001)).toBe('reject');
    expect(breaker.admit(1_000 + openTimes[0]!)).toBe('probe');
  });

  it('ignores calls that were admitted before it opened', () => {
    const { breaker, states, openTimes } = openBreaker();

    breaker.record('call', 1_001);
    failAt(breaker, 1_100, 1_200);

    expect(states).toEqual(['open']);
    expect(breaker.admit(1_000 + openTimes[0]!)).toBe('probe');
  });

  it('admits one probe at a time', () => {
    const { breaker, states } = openBreaker();

    const admitted = [breaker.admit(2_000), breaker.admit(2_000), breaker.admit(1e9)];

    expect(admitted).toEqual(['probe', 'reject', 'reject']);
    expect(states).toEqual(['open', 'half-open']);
  });

  it('closes after a successful probe, and ignores other successes', () => {
    const { breaker } = openBreaker();
    breaker.admit(2_000);

    breaker.record('call', 2_001);
    const meanwhile = breaker.state;
    breaker.record('probe', 2_002);

    expect([meanwhile, breaker.state]).toEqual(['half-open', 'closed']);
  });

  it('opens again after a failed probe, and ignores other failures', () => {
    const { breaker, states } = openBreaker();
    breaker.admit(2_000);

    failAt(breaker, 2_001);
    const meanwhile = breaker.state;
    breaker.record('probe', 2_002, problem);

    expect(meanwhile).toBe('half-open');
    expect(states).toEqual(['open', 'half-open', 'open']);
  });

  it('doubles its open time with every failed probe, up to a second', () => {
    const { breaker, openTimes } = openBreaker();

    let now = 1_000;
    for (let probe = 0; probe < 4; probe += 1) {
      now += openTimes.at(-1)!;
      breaker.admit(now);
      breaker.record('probe', now, problem);
    }

    expect(openTimes.map(Math.round)).toEqual([250, 500, 1_000, 1_000, 1_000]);
  });

  it('starts with the shortest open time again after it was closed', () => {
    const { breaker, openTimes } = openBreaker();
    breaker.admit(1_250);
    breaker.record('probe', 1_250, problem);
    breaker.admit(2_000);
    breaker.record('probe', 2_000);

    failAt(breaker, 2_100, 2_101, 2_102, 2_103, 2_400);

    expect(openTimes.map(Math.round)).toEqual([250, 500, 250]);
  });

  it('forgets all failures after a reset', () => {
    const { breaker, states } = openBreaker();

    breaker.reset();
    failAt(breaker, 1_300, 1_400, 1_500, 1_600);

    expect(states).toEqual(['open', 'closed']);
  });

  it('counts a probe that ends after a reset as a call', () => {
    const { breaker, states } = openBreaker();
    breaker.admit(2_000);
    breaker.reset();

    breaker.record('probe', 2_001, problem);
    breaker.record('probe', 2_002);

    expect(states).toEqual(['open', 'half-open', 'closed']);
  });
});

/** The definition of docs/decisions/0014-breaker.md, computed from a list of all calls. */
class NaiveBreaker {
  state: BreakerState = 'closed';
  #openUntil = 0;
  #openings = 0;
  #calls: { at: number; failed: boolean }[] = [];

  admit(now: number): string {
    if (this.state === 'closed') return 'call';
    if (this.state === 'half-open' || now < this.#openUntil) return 'reject';
    this.state = 'half-open';
    return 'probe';
  }

  record(admitted: string, now: number, { failed, random }: { failed: boolean; random: number }): void {
    if (this.state === 'closed') {
      this.#calls.push({ at: now, failed });
      if (failed && (this.#failsInARow() || this.#failsTooOften(now))) this.#open(now, random);
    } else if (admitted === 'probe' && failed) this.#open(now, random);
    else if (admitted === 'probe') this.reset();
  }

  reset(): void {
    this.#calls = [];
    this.#openings = 0;
    this.state = 'closed';
  }

  #open(now: number, random: number): void {
    this.#openUntil = now + (0.5 + random / 2) * Math.min(250 * 2 ** this.#openings, 1_000);
    this.#openings += 1;
    this.state = 'open';
  }

  #failsInARow(): boolean {
    const row = this.#calls.slice(this.#calls.findLastIndex(({ failed }) => !failed) + 1);
    return row.length >= 5 && row.at(-1)!.at - row[0]!.at >= 250;
  }

  /** The ten seconds that end with the current one. */
  #failsTooOften(now: number): boolean {
    const recent = this.#calls.filter(({ at }) => Math.floor(at / 1_000) > Math.floor(now / 1_000) - 10);
    return recent.length >= 20 && recent.filter(({ failed }) => failed).length * 2 >= recent.length;
  }
}

describe('Breaker, property', () => {
  const step = fc.record({
    after: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 80 }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
    ),
    happens: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('failure' as const, 'success' as const) },
      { weight: 1, arbitrary: fc.constant('reset' as const) },
    ),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  // Each step repeats, because single steps seldom make long rows of failures.
  const steps = fc
    .array(fc.tuple(step, fc.integer({ min: 1, max: 12 })), { maxLength: 30 })
    .map((rows) => rows.flatMap(([each, times]) => Array.from({ length: times }, () => each)));

  it('admits calls and changes state as its definition does', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, fc.nat(20_000), (all, start) => {
        const model = new NaiveBreaker();
        let random = 0;
        const breaker = new Breaker(
          () => {},
          () => random,
        );
        let now = start;
        for (const { after, happens, random: next } of all) {
          now += after;
          random = next;
          const admitted = breaker.admit(now);
          expect(admitted).toBe(model.admit(now));
          if (happens === 'reset') {
            breaker.reset();
            model.reset();
          } else {
            const failed = happens === 'failure';
            const call = admitted === 'probe' ? 'probe' : 'call';
            breaker.record(call, now, failed ? problem : undefined);
            model.record(call, now, { failed, random });
          }
          expect(breaker.state).toBe(model.state);
          seen.add(`${admitted} ${breaker.state}`);
        }
      }),
      { numRuns: 200 },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['call closed', 'call open', 'probe closed', 'probe open', 'reject open']),
    );
  });
});

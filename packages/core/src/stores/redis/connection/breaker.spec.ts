import * as fc from 'fast-check';
import { Breaker, type BreakerState } from './breaker.js';

const problem = 'no reply within 50 ms';
/** The shortest that it may stay open. */
const shortest = () => 0;
/** As good as the longest. */
const longest = () => 1 - Number.EPSILON;

/** A breaker that tells what it was told. */
function told(random = longest) {
  const states: BreakerState[] = [];
  const opened: number[] = [];
  const breaker = new Breaker((state, { openFor }) => {
    states.push(state);
    if (openFor !== undefined) opened.push(openFor);
  }, random);
  return { breaker, states, opened };
}

function failAt(breaker: Breaker, ...times: number[]): void {
  for (const now of times) breaker.fail(now, problem);
}

describe('a breaker that is closed', () => {
  it('opens at the fifth failure in a row, 250 ms after the first', () => {
    const { breaker, states } = told();

    failAt(breaker, 1_000, 1_001, 1_002, 1_003);
    const before = breaker.state;
    failAt(breaker, 1_250);

    expect([before, breaker.state]).toEqual(['closed', 'open']);
    expect(states).toEqual(['open']);
  });

  it('stays closed at four failures, however far apart', () => {
    const { breaker } = told();

    failAt(breaker, 0, 60_000, 120_000, 180_000);

    expect(breaker.state).toBe('closed');
  });

  it('stays closed at failures of less than 250 ms, which may be one hiccup', () => {
    const { breaker } = told();

    failAt(breaker, ...Array.from({ length: 18 }, (_, index) => 1_000 + index), 1_249.999);

    expect(breaker.state).toBe('closed');
  });

  it('begins anew with every success between', () => {
    const { breaker } = told();

    failAt(breaker, 0, 100, 200, 300);
    breaker.succeed(350);
    failAt(breaker, 400, 500, 600, 649.999);

    expect(breaker.state).toBe('closed');
    failAt(breaker, 650);
    expect(breaker.state).toBe('open');
  });

  it('is opened once by failures that come at the same time', () => {
    const { breaker, states } = told();

    failAt(breaker, 0, ...Array<number>(100).fill(300));

    expect(states).toEqual(['open']);
  });

  it('says what has made it open, and for how long', () => {
    const heard: unknown[] = [];
    const breaker = new Breaker((state, about) => heard.push({ state, ...about }), shortest);

    failAt(breaker, 0, 1, 2, 3);
    breaker.fail(250, 'READONLY');

    expect(heard).toEqual([{ state: 'open', problem: 'READONLY', openFor: 125 }]);
  });
});

describe('the share of failures', () => {
  /** Calls one after the other, `each` milliseconds apart: `1` has failed, `0` has not. */
  function call(breaker: Breaker, outcomes: string, from: number, each: number): number {
    let now = from;
    for (const outcome of outcomes) {
      if (outcome === '1') breaker.fail(now, problem);
      else breaker.succeed(now);
      now += each;
    }
    return now;
  }

  it('opens at half of 20 calls, with successes between', () => {
    const { breaker } = told();

    call(breaker, '01'.repeat(9) + '0', 0, 10);
    expect(breaker.state).toBe('closed');
    call(breaker, '1', 200, 10);

    expect(breaker.state).toBe('open');
  });

  it('says nothing of fewer than 20 calls', () => {
    const { breaker } = told();

    call(breaker, '1101101101101101101', 0, 10);

    expect(breaker.state).toBe('closed');
  });

  it('stays closed below the half', () => {
    const { breaker } = told();

    call(breaker, '01'.repeat(9) + '00' + '01'.repeat(100), 0, 10);

    expect(breaker.state).toBe('closed');
  });

  it('forgets what is ten seconds old, second by second', () => {
    const { breaker } = told();

    const now = call(breaker, '01'.repeat(9), 500, 10);
    expect(now).toBeLessThan(1_000);
    // The first second is over when the eleventh begins.
    call(breaker, '001', 10_000, 10);

    expect(breaker.state).toBe('closed');
  });

  it('remembers what is less than nine seconds old', () => {
    const { breaker } = told();

    call(breaker, '01'.repeat(9), 500, 10);
    call(breaker, '01', 9_400, 10);

    expect(breaker.state).toBe('open');
  });

  it('forgets all of it after a pause, wherever that ends', () => {
    for (const pause of [10_000, 11_000, 19_000, 20_000, 100_000, 1e9]) {
      const { breaker } = told();

      call(breaker, '01'.repeat(9), 500, 10);
      call(breaker, '101', 500 + pause, 10);

      expect([pause, breaker.state]).toEqual([pause, 'closed']);
    }
  });
});

describe('a breaker that is open', () => {
  const open = (random = longest) => {
    const made = told(random);
    failAt(made.breaker, 0, 1, 2, 3, 1_000);
    return made;
  };

  it('is open for 125 to 250 ms for the first time', () => {
    for (const [random, openFor] of [
      [shortest, 125],
      [() => 0.5, 187.5],
      [longest, 250],
    ] as const) {
      const { breaker, opened } = open(random);

      expect(opened[0]).toBeCloseTo(openFor);
      expect(breaker.isProbeDue(1_000 + opened[0]! - 0.001)).toBe(false);
      expect(breaker.isProbeDue(1_000 + opened[0]!)).toBe(true);
    }
  });

  it('is not closed by what was called before it opened and is answered late', () => {
    const { breaker, states } = open();

    breaker.succeed(1_001);
    breaker.succeed(1_500);

    expect(breaker.state).toBe('open');
    expect(states).toEqual(['open']);
  });

  it('is not kept open for longer by failures of what was called before', () => {
    const { breaker, opened } = open();

    failAt(breaker, 1_001, 1_100, 1_200);

    expect(breaker.isProbeDue(1_000 + opened[0]!)).toBe(true);
  });

  it('has one probe at a time', () => {
    const { breaker, states } = open();

    breaker.probe();

    expect(breaker.state).toBe('half-open');
    expect(breaker.isProbeDue(1e9)).toBe(false);
    expect(states).toEqual(['open', 'half-open']);
  });

  it('is closed by the success of a probe, and nothing else that is answered meanwhile', () => {
    const { breaker } = open();
    breaker.probe();

    breaker.succeed(1_300);
    const meanwhile = breaker.state;
    breaker.succeed(1_301, true);

    expect([meanwhile, breaker.state]).toEqual(['half-open', 'closed']);
  });

  it('is opened again by the failure of a probe, and nothing else that fails meanwhile', () => {
    const { breaker, states } = open();
    breaker.probe();

    breaker.fail(1_300, problem);
    const meanwhile = breaker.state;
    breaker.fail(1_301, problem, true);

    expect([meanwhile, breaker.state]).toEqual(['half-open', 'open']);
    expect(states).toEqual(['open', 'half-open', 'open']);
  });

  it('stays open for twice as long with every probe that fails, and never for more than a second', () => {
    const { breaker, opened } = open();

    let now = 1_000;
    for (let probe = 0; probe < 6; probe += 1) {
      now += opened.at(-1)!;
      breaker.probe();
      breaker.fail(now, problem, true);
    }

    expect(opened.map(Math.round)).toEqual([250, 500, 1_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it('begins with a short time again once it was closed', () => {
    const { breaker, opened } = open();
    breaker.probe();
    breaker.fail(1_300, problem, true);
    breaker.probe();
    breaker.succeed(2_000, true);

    failAt(breaker, 2_100, 2_101, 2_102, 2_103, 2_400);

    expect(opened.map(Math.round)).toEqual([250, 500, 250]);
  });

  it('is closed at once when the server is known to be there, with all that was counted forgotten', () => {
    const { breaker, states } = open();

    breaker.reset();
    failAt(breaker, 1_300, 1_400, 1_500, 1_600);

    expect(breaker.state).toBe('closed');
    expect(states).toEqual(['open', 'closed']);
  });

  it('pays no attention to a probe that fails after it was closed', () => {
    const { breaker, states } = open();
    breaker.probe();
    breaker.reset();

    breaker.fail(1_300, problem, true);
    breaker.succeed(1_301, true);

    expect(breaker.state).toBe('closed');
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });
});

describe('a breaker that was never open', () => {
  it('says nothing when the server is known to be there', () => {
    const { breaker, states } = told();

    breaker.reset();

    expect(states).toEqual([]);
  });
});

/** The definition, word by word, on a list of all calls that ever were. */
class NaiveBreaker {
  state: BreakerState = 'closed';
  openUntil = 0;
  #opened = 0;
  #calls: { at: number; failed: boolean }[] = [];

  settle(now: number, failed: boolean, isProbe: boolean, random: number): void {
    if (this.state === 'closed') {
      this.#calls.push({ at: now, failed });
      if (failed && (this.#failsInARow() || this.#failsTooOften(now))) this.#open(now, random);
    } else if (isProbe && this.state === 'half-open' && failed) this.#open(now, random);
    else if (isProbe && !failed) this.ready();
  }

  ready(): void {
    this.#calls = [];
    this.#opened = 0;
    this.state = 'closed';
  }

  #open(now: number, random: number): void {
    this.openUntil = now + (0.5 + random / 2) * Math.min(250 * 2 ** this.#opened, 1_000);
    this.#opened += 1;
    this.state = 'open';
  }

  #failsInARow(): boolean {
    const last = this.#calls.findLastIndex(({ failed }) => !failed);
    const row = this.#calls.slice(last + 1);
    return row.length >= 5 && row.at(-1)!.at - row[0]!.at >= 250;
  }

  /** The ten seconds that end with the one of now. */
  #failsTooOften(now: number): boolean {
    const recent = this.#calls.filter(({ at }) => Math.floor(at / 1_000) > Math.floor(now / 1_000) - 10);
    return recent.length >= 20 && recent.filter(({ failed }) => failed).length * 2 >= recent.length;
  }
}

describe('a breaker, whatever happens', () => {
  const step = fc.record({
    after: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 80 }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
    ),
    happens: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('fails' as const, 'succeeds' as const) },
      { weight: 1, arbitrary: fc.constant('ready' as const) },
    ),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  // Long runs of failures and successes, which single steps seldom are.
  const steps = fc
    .array(fc.tuple(step, fc.integer({ min: 1, max: 12 })), { maxLength: 30 })
    .map((runs) => runs.flatMap(([each, times]) => Array.from({ length: times }, () => each)));

  it('does what its definition says on a list of all calls', () => {
    const seen = new Set<BreakerState>();
    fc.assert(
      fc.property(steps, fc.nat(20_000), (all, start) => {
        const model = new NaiveBreaker();
        let random = 0;
        const breaker = new Breaker(
          () => {},
          () => random,
        );
        let now = start;
        for (const each of all) {
          now += each.after;
          random = each.random;
          expect(breaker.isProbeDue(now)).toBe(model.state === 'open' && now >= model.openUntil);
          const isProbe = breaker.isProbeDue(now);
          if (each.happens === 'ready') {
            breaker.reset();
            model.ready();
          } else {
            if (isProbe) {
              breaker.probe();
              model.state = 'half-open';
            }
            if (each.happens === 'fails') breaker.fail(now, problem, isProbe);
            else breaker.succeed(now, isProbe);
            model.settle(now, each.happens === 'fails', isProbe, random);
          }
          expect(breaker.state).toBe(model.state);
          seen.add(breaker.state);
        }
      }),
      { numRuns: 500 },
    );
    expect(seen).toEqual(new Set(['closed', 'open']));
  });
});

import { Random } from '../twin/random.js';
import { HOLD_MS, LIMIT, PermitFleet, PROCESSES, REQUEST_MS, type Overload } from './permit-fleet.js';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const SHARE = LIMIT / PROCESSES;
/** Pauses between two attempts to renew or to release. */
const LAG_MS = 3_000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** The worst of all seeds: a minute without a fault, the fault, and two minutes after its begin. */
async function worst(
  fault: (fleet: PermitFleet, run: (milliseconds: number) => Promise<void>) => unknown,
): Promise<Overload> {
  const all: Overload[] = [];
  for (const seed of SEEDS) {
    const fleet = new PermitFleet(new Random(seed));
    const pass = (milliseconds: number) => {
      jest.advanceTimersByTime(milliseconds);
    };
    const before = await fleet.run(60_000, pass);
    expect(before).toEqual({ over: 0, overFor: 0, deniedUntil: 0 });
    let during: Overload = { over: 0, overFor: 0, deniedUntil: 0 };
    let passed = 0;
    const run = async (milliseconds: number) => {
      during = await fleet.run(milliseconds, pass);
      passed = milliseconds;
    };
    await fault(fleet, run);
    const after = await fleet.run(120_000, pass);
    all.push({
      over: Math.max(during.over, after.over),
      overFor: during.overFor + after.overFor,
      deniedUntil: after.deniedUntil > 0 ? passed + after.deniedUntil : during.deniedUntil,
    });
    jest.clearAllTimers();
  }
  const most = (of: (each: Overload) => number) => Math.max(...all.map(of));
  return {
    over: most(({ over }) => over),
    overFor: most(({ overFor }) => overFor),
    deniedUntil: most(({ deniedUntil }) => deniedUntil),
  };
}

describe('a fleet of 4 processes with 20 permits, requests of 4 s and a hold of 30 s', () => {
  it.each<[string, Parameters<typeof worst>[0]]>([
    ['nothing fails', () => undefined],
    [
      'a loop stalls for 15 s',
      async (fleet, run) => {
        fleet.processes[0]!.isStalled = true;
        await run(15_000);
        fleet.processes[0]!.isStalled = false;
      },
    ],
    ['the clock of the store goes back by an hour', (fleet) => fleet.storeClock.step(-3_600_000)],
    ['the store restarts empty', (fleet) => fleet.empty(true)],
  ])('admits no request too many, and denies none while there is room, when %s', async (_name, fault) => {
    expect(await worst(fault)).toEqual({ over: 0, overFor: 0, deniedUntil: 0 });
  });

  it.each<[string, Parameters<typeof worst>[0]]>([
    ['a process dies', (fleet) => void (fleet.processes[0]!.isDead = true)],
    [
      'the clock of the store goes back by an hour, and a process dies',
      (fleet) => {
        fleet.storeClock.step(-3_600_000);
        fleet.processes[0]!.isDead = true;
      },
    ],
  ])('admits no request too many, and denies for the hold while there is room, when %s', async (_name, fault) => {
    const { over, deniedUntil } = await worst(fault);

    expect(over).toBe(0);
    expect(deniedUntil).toBeGreaterThan(0);
    expect(deniedUntil).toBeLessThanOrEqual(HOLD_MS + LAG_MS);
  });

  it('admits at most the share of a process too many, and leaves no ghost, when half of the answers are lost', async () => {
    const { over, overFor, deniedUntil } = await worst(async (fleet, run) => {
      for (const each of fleet.processes) each.link = 'loses answers';
      await run(2_000);
      for (const each of fleet.processes) each.link = 'up';
    });

    expect(over).toBeLessThanOrEqual(SHARE);
    expect(overFor).toBeLessThanOrEqual(2_000 + REQUEST_MS);
    expect(deniedUntil).toBeLessThanOrEqual(HOLD_MS + LAG_MS);
  });

  it('admits what a loop held that stalls for longer than the hold, until it ends', async () => {
    let held = 0;
    const { over, overFor, deniedUntil } = await worst(async (fleet, run) => {
      held = Math.max(held, fleet.processes[0]!.running.length);
      fleet.processes[0]!.isStalled = true;
      await run(45_000);
      fleet.processes[0]!.isStalled = false;
    });

    expect(over).toBeGreaterThan(0);
    expect(over).toBeLessThanOrEqual(held);
    expect(overFor).toBeLessThanOrEqual(45_000 - HOLD_MS * (2 / 3) + REQUEST_MS);
    expect(deniedUntil).toBe(0);
  });

  it('admits at most the share of a process that is cut off too many, while it is', async () => {
    const { over, overFor, deniedUntil } = await worst(async (fleet, run) => {
      fleet.processes[0]!.link = 'cut';
      await run(60_000);
      fleet.processes[0]!.link = 'up';
    });

    expect(over).toBe(SHARE);
    expect(overFor).toBeLessThanOrEqual(60_000 + REQUEST_MS);
    expect(deniedUntil).toBeLessThanOrEqual(60_000 + HOLD_MS);
  });

  it('admits the shares, and what ran before until it ends, when all processes are cut off', async () => {
    const { over, overFor, deniedUntil } = await worst(async (fleet, run) => {
      for (const each of fleet.processes) each.link = 'cut';
      await run(60_000);
      for (const each of fleet.processes) each.link = 'up';
    });

    expect(over).toBeLessThanOrEqual(SHARE);
    expect(overFor).toBeLessThanOrEqual(REQUEST_MS);
    expect(deniedUntil).toBeLessThanOrEqual(60_000 + HOLD_MS);
  });

  it.each<[string, Parameters<typeof worst>[0]]>([
    ['the store loses its data without a sign', (fleet) => fleet.empty(false)],
    ['the clock of the store goes forward by an hour', (fleet) => fleet.storeClock.step(3_600_000)],
  ])('admits at most the limit once more, until requests end, when %s', async (_name, fault) => {
    const { over, overFor, deniedUntil } = await worst(fault);

    expect(over).toBeLessThanOrEqual(LIMIT);
    expect(overFor).toBeLessThanOrEqual(REQUEST_MS);
    expect(deniedUntil).toBe(0);
  });
});

import { memoryStore } from '@sluice/core';
import { channels } from '@sluice/metrics/operations';
import { StoreHealth } from './store-health.js';

describe('StoreHealth', () => {
  let now: number;
  let changes: number;
  let health: StoreHealth;

  beforeEach(() => {
    [now, changes] = [0, 0];
    health = new StoreHealth(
      memoryStore(),
      () => now,
      () => (changes += 1),
    );
  });

  afterEach(() => health.stop());

  const fail = () =>
    channels.degraded.publish({
      operation: 'consume',
      code: 'STORE_UNAVAILABLE',
      message: 'no answer within 50 ms',
      tiers: ['ip'],
    });
  const answer = () => channels.storeCall.publish({ duration: 1, groups: 1, outcome: 'answered' });

  it('tells the load of a process that has a shedder, and what was refused', () => {
    const before = health.read().load;
    channels.load.publish({ level: 120, standing: 80, target: 50 });
    channels.shed.publish({ priority: 'sheddable', level: 120, standing: 80, shadow: false });
    channels.shed.publish({ priority: 'normal', level: 120, standing: 80, shadow: true });
    channels.door.publish({ held: 5, left: 2, longest: 90 });
    channels.door.publish({ held: 3, left: 0, longest: 10 });

    expect(before).toBeUndefined();
    expect(health.read().load).toEqual({
      level: 120,
      standing: 80,
      refused: { normal: 0, sheddable: 1 },
      shadowed: 1,
      door: { held: 8, left: 2, longest: 90 },
    });
  });

  it('takes one missed deadline for no outage, also when no call follows', () => {
    fail();
    now = 60_000;

    expect(health.read()).toMatchObject({ degraded: 1, fault: { problem: 'no answer within 50 ms', age: 60_000 } });
    expect(health.read().degradedFor).toBeUndefined();
    expect([health.isDegraded, changes]).toEqual([false, 0]);
  });

  it('takes failures of a quarter of a second without an answer for an outage since the first', () => {
    fail();
    now = 249;
    fail();
    const before = health.isDegraded;
    now = 250;
    fail();
    now = 1_000;

    expect([before, health.isDegraded, health.read().degradedFor, changes]).toEqual([false, true, 1_000, 1]);
  });

  it('ends an outage with the first answer', () => {
    fail();
    now = 250;
    fail();
    answer();

    expect([health.isDegraded, health.read().degradedFor, changes]).toEqual([false, undefined, 2]);
  });

  it('takes two failures with an answer between them for no outage', () => {
    fail();
    answer();
    now = 10_000;
    fail();

    expect([health.isDegraded, changes]).toEqual([false, 0]);
  });
});

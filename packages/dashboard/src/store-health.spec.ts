import { memoryStore } from '@sluice/core';
import { channels } from '@sluice/metrics/operations';
import { queueDelay, queueEvent, queueRefusalEvent } from '@sluice/overload/queues';
import { doorEvent, loadEvent, shedEvent, shedder } from '@sluice/overload';
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

  it('tells the load of a process that has a shedder, what was refused, and the wait of each queue', () => {
    const before = health.read().facts;
    shedder();
    queueDelay('database');
    loadEvent.publish({ level: 120, standing: 80, target: 50 });
    shedEvent.publish({ priority: 'sheddable', level: 120, standing: 80, shadow: false });
    shedEvent.publish({ priority: 'normal', level: 120, standing: 80, shadow: true });
    doorEvent.publish({ held: 5, left: 2, longest: 90 });
    doorEvent.publish({ held: 3, left: 0, longest: 10 });
    queueEvent.publish({ queue: 'database', level: 0, standing: 250, waiting: 4 });
    const refusal = { queue: 'database', priority: 'sheddable', level: 20, standing: 250 } as const;
    queueRefusalEvent.publish({ ...refusal, shadow: false });
    queueRefusalEvent.publish({ ...refusal, shadow: true });

    expect(before).toEqual([]);
    expect(health.read().facts).toEqual([
      { name: 'Overload', text: 'level 120 of 200', detail: 'delay 80 ms' },
      { name: 'Refused', text: '1 sheddable, 0 normal, 1 in shadow' },
      { name: 'Held for new connections', text: '8, 2 had left', detail: 'longest 90 ms' },
      { name: 'Queue database', text: 'calm, 4 wait, 1 refused', detail: 'wait 250 ms' },
    ]);
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

import { collectMetrics } from '../../../metrics/src/metrics.js';
import { doorEvent, loadEvent, shedEvent } from './shed-events.js';
import { shedder } from './shedder.js';

beforeAll(() => void shedder());

describe('sluice.door', () => {
  it('counts requests that were held, and apart from them those whose clients had left', async () => {
    const metrics = collectMetrics();
    doorEvent.publish({ held: 5, left: 2, longest: 40 });
    doorEvent.publish({ held: 1, left: 1, longest: 1 });
    const points = await metrics.points('sluice.door.requests');
    metrics.stop();

    expect(points).toEqual([
      { attributes: { 'sluice.left': 'false' }, value: 3 },
      { attributes: { 'sluice.left': 'true' }, value: 3 },
    ]);
  });

  it('shows the longest hold of the last minute, in seconds', async () => {
    let now = 0;
    const metrics = collectMetrics({ clock: () => now });
    const shown = async () => (await metrics.points('sluice.door.hold')).map(({ value }) => value);
    const before = await shown();
    doorEvent.publish({ held: 1, left: 0, longest: 80 });
    doorEvent.publish({ held: 1, left: 0, longest: 20 });
    const first = await shown();
    now = 59_000;
    const within = await shown();
    now = 60_000;
    const after = await shown();
    doorEvent.publish({ held: 1, left: 0, longest: 20 });
    const next = await shown();
    metrics.stop();

    expect([before, first, within, after, next].flat()).toEqual([0, 0.08, 0.08, 0, 0.02]);
  });
});

describe('sluice.shed', () => {
  const read = async (metrics: ReturnType<typeof collectMetrics>, name: 'level' | 'delay' | 'requests') => {
    const points = await metrics.points(`sluice.shed.${name}`);
    return points.map(({ attributes, value }) => [...Object.values(attributes), value]);
  };

  it('has the level and the delay of the shedder that is worst, once one has measured', async () => {
    const metrics = collectMetrics();
    const before = [await read(metrics, 'level'), await read(metrics, 'delay')];
    loadEvent.publish({ level: 40, standing: 20, target: 50 });
    loadEvent.publish({ level: 10, standing: 30, target: 100 });
    const during = [await read(metrics, 'level'), await read(metrics, 'delay')];
    loadEvent.publish({ level: 0, standing: 5, target: 50 });
    const after = [await read(metrics, 'level'), await read(metrics, 'delay')];
    metrics.stop();

    expect([before, during, after]).toEqual([
      [[], []],
      [[[40]], [[0.03]]],
      [[[10]], [[0.03]]],
    ]);
  });

  it('counts refusals by priority, shadow and queue, from 0 on for the event loop', async () => {
    const metrics = collectMetrics();
    const event = { level: 40, standing: 20, shadow: false } as const;
    shedEvent.publish({ ...event, priority: 'normal' });
    shedEvent.publish({ ...event, priority: 'sheddable', queue: 'database' });
    shedEvent.publish({ ...event, priority: 'sheddable', queue: 'database' });
    const shown = await read(metrics, 'requests');
    metrics.stop();
    shedEvent.publish({ ...event, priority: 'normal' });

    expect(shown).toEqual([
      ['normal', 'false', 1],
      ['normal', 'true', 0],
      ['sheddable', 'false', 0],
      ['sheddable', 'true', 0],
      ['sheddable', 'false', 'database', 2],
    ]);
    expect(await read(metrics, 'requests')).toEqual(shown);
  });
});

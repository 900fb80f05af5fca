import { collectMetrics } from '../../../metrics/src/metrics.js';
import { queueDelay } from './queue-delay.js';
import { queueEvent, queueRefusalEvent } from './queue-events.js';

describe('queueDelay, in metrics', () => {
  it('brings its instruments to metrics that were there before it, and none before its first queue', async () => {
    const metrics = collectMetrics();
    const heard: string[] = [];
    const end = metrics.onInstrument(({ name }) => void (name.startsWith('sluice.queue.') && heard.push(name)));
    const before = [...heard];
    queueDelay('database');
    queueDelay('search');
    queueEvent.publish({ queue: 'database', level: 120, standing: 450, waiting: 7 });
    queueRefusalEvent.publish({ queue: 'database', priority: 'normal', level: 120, standing: 450, shadow: false });
    const shown = await Promise.all(
      heard.map(async (name) => {
        const points = await metrics.points(name as 'sluice.queue.level');
        return [name, ...points.flatMap(({ attributes, value }) => [...Object.values(attributes), value])];
      }),
    );
    end();
    metrics.stop();

    expect(before).toEqual([]);
    expect(shown).toEqual([
      ['sluice.queue.level', 'database', 120],
      ['sluice.queue.delay', 'database', 0.45],
      ['sluice.queue.waiting', 'database', 7],
      ['sluice.queue.refusals', 'database', 'normal', 'false', 1],
    ]);
  });
});

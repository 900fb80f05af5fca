import { channels } from '../../core/src/events/channels.js';
import { collectMetrics } from './metrics.js';

describe('sluice.door', () => {
  it('counts requests that were held, and apart from them those whose clients had left', async () => {
    const metrics = collectMetrics();
    channels.door.publish({ held: 5, left: 2, longest: 40 });
    channels.door.publish({ held: 1, left: 1, longest: 1 });
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
    channels.door.publish({ held: 1, left: 0, longest: 80 });
    channels.door.publish({ held: 1, left: 0, longest: 20 });
    const first = await shown();
    now = 59_000;
    const within = await shown();
    now = 60_000;
    const after = await shown();
    channels.door.publish({ held: 1, left: 0, longest: 20 });
    const next = await shown();
    metrics.stop();

    expect([before, first, within, after, next].flat()).toEqual([0, 0.08, 0.08, 0, 0.02]);
  });
});

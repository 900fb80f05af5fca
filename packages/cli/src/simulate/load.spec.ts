import { loadOf } from './load.js';

const setup = { duration: 10_000, seed: 1 };
const timesOf = async (...texts: string[]) => (await loadOf(texts, setup)).arrivals.map(({ time }) => time);

describe('loadOf', () => {
  it('spaces a steady load evenly', async () => {
    expect(await timesOf('steady:2/5s')).toEqual([0, 2_500, 5_000, 7_500]);
  });

  it('sends bursts at once', async () => {
    expect(await timesOf('bursts:2/4s')).toEqual([0, 0, 4_000, 4_000, 8_000, 8_000]);
  });

  it('adds loads up in order of time', async () => {
    expect(await timesOf('steady:1/5s', 'bursts:1/4s')).toEqual([0, 0, 4_000, 5_000, 8_000]);
  });

  it('sends random requests at the rate, and the waits between them vary as much as their mean', async () => {
    const { arrivals } = await loadOf(['poisson:100/s'], { duration: 100_000, seed: 7 });
    const waits = arrivals.slice(1).map(({ time }, index) => time - arrivals[index]!.time);
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    const variance = waits.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / waits.length;

    expect(Math.abs(arrivals.length - 10_000)).toBeLessThan(500);
    expect(Math.abs(Math.sqrt(variance) / mean - 1)).toBeLessThan(0.05);
  });

  it('gives each client the whole load, out of step', async () => {
    const { arrivals, clients } = await loadOf(['steady:1/5s', 'clients:3'], setup);

    expect(clients).toBe(3);
    expect(arrivals.length).toBe(6);
    expect(new Set(arrivals.map(({ time }) => Math.round(time * 1e3) % 5e6)).size).toBe(3);
  });
});

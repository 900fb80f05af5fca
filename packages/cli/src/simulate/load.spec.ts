import { loadOf } from './load.js';

const setup = { duration: 10_000, seed: 1 };
const timesOf = (...texts: string[]) => loadOf(texts, setup).arrivals.map(({ time }) => time);

describe('loadOf', () => {
  it('spaces a steady load evenly', () => {
    expect(timesOf('steady:2/5s')).toEqual([0, 2_500, 5_000, 7_500]);
  });

  it('sends all requests of a burst together', () => {
    expect(timesOf('bursts:2/4s')).toEqual([0, 0, 4_000, 4_000, 8_000, 8_000]);
  });

  it('adds loads up in order of time', () => {
    expect(timesOf('steady:1/5s', 'bursts:1/4s')).toEqual([0, 0, 4_000, 5_000, 8_000]);
  });

  it('sends random requests at the rate, and the waits between them vary as much as their mean', () => {
    const { arrivals } = loadOf(['poisson:100/s'], { duration: 100_000, seed: 7 });
    const waits = arrivals.slice(1).map(({ time }, index) => time - arrivals[index]!.time);
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    const variance = waits.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / waits.length;

    expect(Math.abs(arrivals.length - 10_000)).toBeLessThan(500);
    expect(Math.abs(Math.sqrt(variance) / mean - 1)).toBeLessThan(0.05);
  });

  it('gives each client the whole load, out of step', () => {
    const { arrivals, clients } = loadOf(['steady:1/5s', 'clients:3'], setup);

    expect(clients).toBe(3);
    expect(arrivals.length).toBe(6);
    expect(new Set(arrivals.map(({ time }) => Math.round(time * 1e3) % 5e6)).size).toBe(3);
  });

  it('adds requests of files, and lasts until the last one of files alone', () => {
    const traced = [{ time: 12_500, client: 0, cost: 3 }];

    expect(loadOf([], { ...setup, traced })).toEqual({ arrivals: traced, clients: 1, duration: 12_501 });
    expect(loadOf(['steady:1/5s'], { ...setup, traced }).arrivals.length).toBe(3);
  });

  it('refuses more requests than a run takes', () => {
    expect(() => loadOf(['steady:2/s'], { ...setup, most: 19 })).toThrow('20.0 requests are too many; at most 19');
  });
});

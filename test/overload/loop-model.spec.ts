import { runLoop, type Scene } from './loop-model.js';

const loads = [1.2, 2, 5, 12];
describe('a shedder in a modelled event loop', () => {
  it.each(loads)('serves every critical request within a second, at %d times the capacity', async (load) => {
    const { came, served, goodput, calmAfter } = await runLoop({ load });

    expect(served.critical / came.critical).toBeGreaterThan(0.994);
    expect(goodput).toBeGreaterThan(0.9);
    expect(calmAfter).toBeLessThan(10_000);
  });

  it.each<[string, Scene, number]>([
    ['requests wait for a database before their work', { load: 5, database: 50 }, 0.9],
    ['requests wait long for it', { load: 2, database: 200 }, 0.8],
    ['all others are normal', { load: 5, normal: 100 }, 0.9],
    ['a request works for 1 ms', { load: 3, work: 1 }, 0.9],
    ['a request works for 20 ms', { load: 5, work: 20 }, 0.85],
  ])('does so when %s', async (_case, scene, least) => {
    const { came, served, goodput, calmAfter } = await runLoop(scene);

    expect(served.critical / came.critical).toBeGreaterThan(0.994);
    expect(goodput).toBeGreaterThan(least);
    expect(calmAfter).toBeLessThan(10_000);
  });

  it('refuses sheddable requests before normal ones, and no critical one', async () => {
    const { came, refused } = await runLoop({ load: 2 });

    expect(refused.critical).toBe(0);
    expect(refused.sheddable / came.sheddable).toBeGreaterThan(5 * (refused.normal / came.normal));
  });

  it.each([0.5, 0.7])('refuses nothing for one pause of 300 ms, at %d of the capacity', async (load) => {
    const pause = { at: 7_000, lasts: 300 };
    const runs = await Promise.all(Array.from({ length: 10 }, (_, seed) => runLoop({ load, pause, seed })));
    const refused = runs.map((run) => run.refused);

    expect(refused.map(({ sheddable, normal }) => sheddable + normal)).toEqual(refused.map(() => 0));
  });

  it('is needed: without it hardly any request is served in time', async () => {
    const { goodput } = await runLoop({ load: 5, sheds: false });

    expect(goodput).toBeLessThan(0.2);
  });
});

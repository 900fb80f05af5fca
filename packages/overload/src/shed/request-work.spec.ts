import { RequestWork } from './request-work.js';

/** Lessons of a second each: requests that were admitted, the time that the process has worked, and requests that were refused. */
function taught(lessons: readonly (readonly [requests: number, busy: number, refused?: number])[]) {
  const work = new RequestWork();
  let busy = 4_000;
  work.learn(0, () => busy);
  for (const [second, [requests, worked, refused = 0]] of lessons.entries()) {
    for (let request = 0; request < requests; request += 1) work.admit();
    for (let request = 0; request < refused; request += 1) work.refuse();
    busy += worked;
    work.learn((second + 1) * 1_000, () => busy);
  }
  return work.admit();
}

describe('RequestWork', () => {
  it('is 0 before the first lesson, and does not count the start of the process', () => {
    expect(taught([])).toBe(0);
    expect(taught([[100, 500]])).toBe(5);
  });

  it('changes by a tenth in a lesson: a rush admits requests whose work is done later', () => {
    expect(
      taught([
        [100, 500],
        [1_000, 500],
      ]),
    ).toBe(4.5);
    expect(
      taught([
        [100, 500],
        [10, 500],
      ]),
    ).toBeCloseTo(5.56);
  });

  it('does not rise in a second with many refusals, which took time too, and still falls', () => {
    const before = [100, 500] as const;

    expect(taught([before, [100, 900, 2_000]])).toBe(5);
    expect(taught([before, [100, 100, 2_000]])).toBe(4.5);
    expect(taught([before, [100, 900, 10]])).toBeCloseTo(5.56);
  });

  it('learns nothing from a second without requests', () => {
    expect(
      taught([
        [100, 500],
        [0, 900],
      ]),
    ).toBe(5);
  });
});

import { StoreError } from '@sluice/core';
import type { Act } from './act.js';
import { ActSearch } from './act-search.js';

const act: Act = { id: 'call-1', at: 1, operation: 'forget', by: 'ada', tiers: [] };

describe('ActSearch', () => {
  it('asks again while the store is away, and reports the act once', async () => {
    const found: Act[] = [];
    const answers = [unavailable, unavailable, () => act];
    const search = new ActSearch((each) => found.push(each));

    await search.seek(async () => Promise.resolve(answers.shift()!()));
    const before = [...found];
    for (let time = 1; time <= 5; time += 1) await search.look();

    expect([before, found, answers]).toEqual([[], [act], []]);
  });

  it('takes an act for one that has not happened when the store has said so three times', async () => {
    const find = jest.fn(() => Promise.resolve(undefined));
    const search = new ActSearch(() => undefined);

    await search.seek(find);
    for (let time = 1; time <= 5; time += 1) await search.look();

    expect(find).toHaveBeenCalledTimes(3);
  });

  it('looks for the last 1 000 acts, which is what the list of the store holds', async () => {
    const found: Act[] = [];
    const search = new ActSearch((each) => found.push(each));
    let isAway = true;
    const seek = (at: number) =>
      search.seek(() =>
        isAway ? Promise.reject(new StoreError('STORE_UNAVAILABLE', 'gone')) : Promise.resolve({ ...act, at }),
      );
    await Promise.all(Array.from({ length: 1_002 }, (_, at) => seek(at)));

    isAway = false;
    await search.look();

    expect([found.length, found[0]!.at, found.at(-1)!.at]).toEqual([1_000, 2, 1_001]);
  });
});

function unavailable(): never {
  throw new StoreError('STORE_UNAVAILABLE', 'gone');
}

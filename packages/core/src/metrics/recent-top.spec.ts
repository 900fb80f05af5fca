import { RecentTop } from './recent-top.js';

describe('RecentTop', () => {
  it('forgets a count after 30 to 60 seconds', () => {
    let now = 0;
    const top = new RecentTop(() => now);
    for (const item of ['ada', 'ada', 'bob']) top.count(item);
    now = 31_000;
    top.count('bob');

    top.count('bob');
    expect(top.top(9)).toEqual([
      { item: 'bob', count: 3, error: 0 },
      { item: 'ada', count: 2, error: 0 },
    ]);
    now = 61_000;
    expect(top.top(9)).toEqual([{ item: 'bob', count: 2, error: 0 }]);
    expect(top.total).toBe(2);
    now = 500_000;
    expect(top.total).toBe(0);
  });
});

import { showMoment } from './show-moment.js';

describe('showMoment', () => {
  it('shows the date of another day only', () => {
    const now = Date.UTC(2026, 10, 22, 23, 59, 59, 500);

    expect(showMoment(now + 499, now)).toBe('23:59:59.999 UTC');
    expect(showMoment(now + 500, now)).toBe('2026-11-23 00:00:00.000 UTC');
  });
});

import { memoryStore } from '@sluice/core';
import type { Limit, Stack } from '../stack.js';

/** Which options are mistakes is a table of core: test/mistakes. */
export function mistakes(stack: Stack): void {
  const hour = { name: 'hour', limit: 1, window: '1h' };

  it.each([
    ['C13 does not start with a wrong name', { name: 'a"b' }, 'name'],
    ['C14 does not start with a wrong limit', { limit: 1.5 }, 'limit'],
    [
      'C37 does not start with two drafts, because both use RateLimit-Policy',
      { headers: ['draft-7', 'draft-6'] },
      'headers',
    ],
  ])('%s', async (_name, wrong, option) => {
    const limits = [{ ...hour, ...wrong } as Limit];

    const start = stack.start({ store: memoryStore(), routes: [{ path: '/', limits }] });

    await expect(start).rejects.toThrow(option);
  });
}

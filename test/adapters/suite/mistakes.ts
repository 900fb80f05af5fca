import { memoryStore } from '@sluice/core';
import type { Limit, Stack } from '../stack.js';

export function mistakes(stack: Stack): void {
  describe('an application with a mistake in its limits', () => {
    const start = (limit: object) =>
      stack.start({ store: memoryStore(), routes: [{ path: '/', limits: [limit as Limit] }] });

    it.each(['a"b', 'a\\b', 'a\nb', '\u00fc', '', 'a'.repeat(65)])(
      'C13 does not start with the name %j',
      async (name) => {
        await expect(start({ name, limit: 1, window: '1h' })).rejects.toThrow('name');
      },
    );

    it.each([Number.NaN, Infinity, -1, 1e15, 1.5, '10'])('C14 does not start with the limit %p', async (limit) => {
      await expect(start({ name: 'hour', limit, window: '1h' })).rejects.toThrow('limit');
    });

    it('C37 does not start with two drafts, because both use RateLimit-Policy', async () => {
      const limit = { name: 'hour', limit: 1, window: '1h', headers: ['draft-7', 'draft-6'] };

      await expect(start(limit)).rejects.toThrow('headers');
    });
  });
}

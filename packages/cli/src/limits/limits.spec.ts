import { readLimits } from './limits.js';

describe('readLimits', () => {
  it.each([
    ['300/1m', { name: '300/1m', limit: 300, window: '1m' }],
    [
      '100/1h token-bucket burst=20',
      { name: '100/1h', limit: 100, window: '1h', algorithm: 'token-bucket', burst: 20 },
    ],
    ['limit=5 window=10s strict=true name=ip', { name: 'ip', limit: 5, window: '10s', strict: true }],
    [
      '20/1s+300/1m precision=4',
      {
        name: '20/1s+300/1m',
        algorithm: 'multi-window',
        windows: [
          { limit: 20, window: '1s' },
          { limit: 300, window: '1m' },
        ],
        precision: 4,
      },
    ],
  ])('reads %s', async (text, tier) => {
    expect(await readLimits({ option: '--limits' }, [text])).toEqual([tier]);
  });

  it('says which word is no part of a limit', async () => {
    await expect(readLimits({ option: '--limits' }, ['300/1m Burst'])).rejects.toThrow(
      '--limits: "Burst" is no part of a limit: write 300/1m, or 300/1m token-bucket burst=50',
    );
  });
});

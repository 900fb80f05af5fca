import { StoreError } from '../../model/errors.js';
import { refundQuietly } from './refund-quietly.js';

describe('refundQuietly', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => warn.mockRestore());

  it('warns of a refund that has failed, once, and does not reject', async () => {
    await refundQuietly(async () => 1);
    await refundQuietly(() => Promise.reject(new StoreError('STORE_UNAVAILABLE', 'the store is away')));
    await refundQuietly(() => Promise.reject(new StoreError('STORE_UNAVAILABLE', 'the store is still away')));

    const text = 'rateLimit: a refund failed, so the request stays counted: the store is away';
    expect(warn.mock.calls).toEqual([[text, expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
  });

  it('has nothing to say when the store was closed, and nothing is left to give back to', async () => {
    await jest.isolateModulesAsync(async () => {
      const fresh = await import('./refund-quietly.js');

      await fresh.refundQuietly(() => Promise.reject(new StoreError('STORE_CLOSED', 'the store is closed')));

      expect(warn).not.toHaveBeenCalled();
    });
  });

  it('does not repeat what others say in their errors, which may tell who somebody is', async () => {
    await jest.isolateModulesAsync(async () => {
      const fresh = await import('./refund-quietly.js');

      await fresh.refundQuietly(() => Promise.reject(new Error('no refund for ada@example.com')));

      expect(warn).toHaveBeenCalledTimes(1);
      expect(JSON.stringify(warn.mock.calls)).not.toContain('ada');
    });
  });
});

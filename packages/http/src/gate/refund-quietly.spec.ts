import { StoreError } from '../../../core/src/model/errors.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';

describe('refundQuietly', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    // Each code warns once in a process.
    freshModules();
    warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => warn.mockRestore());

  it('resolves and warns once if refunds fail', async () => {
    await refund();
    await refund(new StoreError('STORE_UNAVAILABLE', 'the store is away'));
    await refund(new StoreError('STORE_UNAVAILABLE', 'the store is still away'));

    const text = 'rateLimit: a refund failed, so the request stays counted: the store is away';
    expect(warn.mock.calls).toEqual([[text, expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
  });

  it('does not warn if the store was closed', async () => {
    await refund(new StoreError('STORE_CLOSED', 'the store is closed'));

    expect(warn).not.toHaveBeenCalled();
  });

  it('does not repeat messages of other errors, which may contain personal data', async () => {
    await refund(new Error('no refund for ada@example.com'));

    expect(warn).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('ada');
  });

  async function refund(error?: Error): Promise<void> {
    const { refundQuietly } = await import('./refund-quietly.js');
    await refundQuietly(async () => {
      if (error) throw error;
    });
  }
});

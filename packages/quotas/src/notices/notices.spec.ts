import { createLimiter, type Notice } from '@sluice/core';
import { notices } from './notices-option.js';

/** A limiter whose first request reaches a mark. */
function noticing(onNotice: (notice: Notice) => unknown) {
  const marked = { algorithm: 'fixed-window', limit: 2, window: '1h', notices: notices(0.5) } as const;
  return createLimiter({ onNotice, tiers: [{ ...marked, name: 'hour', key: () => 'ada' }] });
}

describe('LimiterOptions.onNotice', () => {
  afterEach(() => jest.restoreAllMocks());

  it('may fail, also as a promise of another library, and a warning then shows no message of the application', async () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const error = Object.assign(new TypeError('no mail to ada@example.com'), { code: 'EENVELOPE' });
    // oxlint-disable-next-line unicorn/no-thenable -- a query of an SQL builder is one
    const rejected = { then: (_onValue: unknown, onError: (reason: unknown) => void) => onError(error) };

    const { allowed } = await noticing(() => rejected).consume({});

    expect(allowed).toBe(true);
    const text =
      'limiter: onNotice has failed with TypeError EENVELOPE, and the notice is not repeated: catch errors in it';
    expect(emitWarning.mock.calls).toEqual([[text, expect.objectContaining({ code: 'SLUICE_NOTICE_FAILED' })]]);
  });
});

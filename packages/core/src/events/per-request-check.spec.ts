import { freshModules } from '../../../../test/support/fresh-modules.js';
import type { createLimiter as createLimiterType } from '../limiter/limiter.js';
import type { shedder as shedderType } from '../../../overload/src/shed/shedder.js';

const options = { key: (tenant: string) => tenant, limit: 1, window: '1m' } as const;

describe('PerRequestCheck', () => {
  let createLimiter: typeof createLimiterType;
  let shedder: typeof shedderType;
  let emitted: jest.SpyInstance;

  beforeEach(async () => {
    freshModules();
    ({ createLimiter } = await import('../limiter/limiter.js'));
    ({ shedder } = await import('../../../overload/src/shed/shedder.js'));
    emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  });

  afterEach(() => emitted.mockRestore());

  const codes = (): string[] => emitted.mock.calls.map(([, { code }]: [string, { code: string }]) => code);
  const nextTurn = () => new Promise(setImmediate);

  it('warns once of limiters that are used only where they are created', async () => {
    for (let request = 0; request < 99; request += 1) {
      await createLimiter(options).consume('ada');
      await nextTurn();
    }
    expect(codes()).toEqual([]);

    for (let request = 0; request < 99; request += 1) await createLimiter(options).consume('ada');
    expect(codes()).toEqual(['SLUICE_LIMITER_PER_REQUEST']);
  });

  it('counts a limiter once in the turn of its creation', async () => {
    for (let request = 0; request < 60; request += 1) {
      const limiter = createLimiter(options);
      await limiter.consume('ada');
      await limiter.consume('ada');
    }

    expect(codes()).toEqual([]);
  });

  it('warns once of shedders that are used only where they are created', async () => {
    const visit = { request: { ip: '203.0.113.9' }, captureAddress() {} };
    for (let request = 0; request < 99; request += 1) {
      void shedder()['sluice.shed.1'](visit);
      await nextTurn();
    }
    const before = codes();
    for (let request = 0; request < 99; request += 1) void shedder()['sluice.shed.1'](visit);

    expect([before, codes()]).toEqual([[], ['SLUICE_LIMITER_PER_REQUEST']]);
    expect(emitted.mock.calls[0]).toEqual([
      expect.stringContaining('outside the handler: const shed = shedder('),
      expect.anything(),
    ]);
  });

  it('accepts limiters that are created at the start', async () => {
    const limiters = Array.from({ length: 200 }, () => createLimiter(options));
    await nextTurn();

    for (const limiter of limiters) await limiter.consume('ada');

    expect(codes()).toEqual([]);
  });

  it('accepts limiters that requests create and later requests use', async () => {
    const limiters = new Map<string, ReturnType<typeof createLimiter<string>>>();

    for (let request = 0; request < 300; request += 1) {
      const tenant = `tenant ${Math.floor(request / 2)}`;
      const limiter = limiters.get(tenant) ?? createLimiter<string>(options);
      limiters.set(tenant, limiter);
      await limiter.consume(tenant);
      await nextTurn();
    }

    expect(codes()).toEqual([]);
  });
});

import type { KeyFunction } from '../../../core/src/limiter/keys/key-function.js';
import type { Limiter } from '../../../core/src/limiter/limiter.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import type * as Core from '../index.js';
import type { HttpRequest } from '../request/request.js';

type Key = KeyFunction<HttpRequest>;

const ip = '192.0.2.1';
const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe('Mistakes', () => {
  let core: typeof Core;
  let emitted: jest.SpyInstance;

  beforeEach(async () => {
    // Each code warns once in a process.
    freshModules();
    core = await import('../index.js');
    emitted = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  });

  afterEach(() => emitted.mockRestore());

  const codes = () => emitted.mock.calls.map(([, options]) => (options as { code?: unknown }).code);

  /** A request passes gates whose tiers have these keys, or that have this limiter. */
  async function pass(...gates: readonly (readonly Key[] | Limiter<HttpRequest>)[]): Promise<void> {
    const request = { ip, headers: { 'x-api-key': 'k-1' } };
    for (const each of gates) {
      const limiter = 'consume' in each ? each : limiterOf(...each);
      await core.createGate({ limiter }).admit(request, nodeResponse());
    }
  }

  function limiterOf(...keys: readonly Key[]): Limiter<HttpRequest> {
    const tiers = keys.map((key, index) => ({ name: `tier ${index}`, key, limit: 1_000, window: '1m' }) as const);
    return core.createLimiter<HttpRequest>({ tiers });
  }

  it.each<[string, () => readonly (readonly Key[])[]]>([
    ['addresses alone', () => [[core.byIp()]]],
    ['keys and addresses', () => [[core.byApiKey(), core.byIp()]]],
    ['keys, and addresses that are read elsewhere', () => [[core.byApiKey(), core.byIp({ from: () => ip })]]],
    ['verified keys', () => [[core.byApiKey({ from: () => 17 })]]],
    [
      'keys, and a marked function',
      () => [[core.byApiKey(), Object.assign(() => 'a', { bounds: 'address' } as const)]],
    ],
    ['keys behind a limiter of addresses', () => [[core.byIp()], [core.byApiKey()]]],
  ])('does not warn of %s', async (_case, gates) => {
    await pass(...gates());

    expect(codes()).toEqual([]);
  });

  it('warns once of unverified API keys without a limit by address before or beside them', async () => {
    // Each new key makes a new combination.
    const combined = core.compose(core.byIp(), core.byApiKey());

    await pass([() => 'ada'], [core.byApiKey(), combined, () => 'ada'], [core.byIp()]);
    await pass([core.byApiKey()]);

    expect(codes()).toEqual(['SLUICE_UNBOUNDED_API_KEYS']);
  });

  it.each<[string, () => object, boolean]>([
    ['presented keys', () => ({ by: core.byApiKey() }), true],
    ['presented keys, with a limit of rates by address', () => ({ by: core.byApiKey(), beside: 'rate' }), true],
    ['presented keys, with a limit in flight by address', () => ({ by: core.byApiKey(), beside: 'in flight' }), false],
    ['verified keys', () => ({ by: core.byApiKey({ from: () => 17 }) }), false],
    ['addresses', () => ({ by: core.byIp() }), false],
    ['a function of the application', () => ({ by: () => 'ada' }), false],
  ])('warns of callers that share a limit by identities that anybody makes up: by %s', async (_case, make, warns) => {
    const { fairBy } = await import('../../../overload/src/fair/index.js');
    const { by, beside } = make() as { by: Key; beside?: string };
    const flight = { algorithm: 'concurrency', limit: 100 } as const;
    const tiers = [
      { ...flight, name: 'workers', key: () => 'all', fair: fairBy(by) },
      ...(beside === 'rate'
        ? [{ name: 'rate', key: core.byIp<HttpRequest>(), limit: 100, window: '1m' } as const]
        : []),
      ...(beside === 'in flight' ? [{ ...flight, name: 'address', key: core.byIp<HttpRequest>() }] : []),
    ];

    await pass(core.createLimiter<HttpRequest>({ tiers }));

    expect(codes()).toEqual(warns ? ['SLUICE_UNBOUNDED_API_KEYS'] : []);
  });

  it('warns of a limiter that counts a request twice, however late', async () => {
    const limiter = limiterOf(core.byIp());
    for (let request = 0; request < 300; request += 1) await pass(limiter);
    await pass(limiter, limiterOf(core.byIp()));
    const before = codes();

    await pass(limiter, limiter);

    expect([before, codes()]).toEqual([[], ['SLUICE_COUNTED_TWICE']]);
  });

  it('finds a proxy that forwards few requests, by a sample of them', async () => {
    const trust = jest.fn(() => 'none' as const);
    const gate = core.createGate<HttpRequest>({ limit: 1_000, window: '1m' }, { trust });
    const send = async (count: number, headers: HttpRequest['headers']) => {
      for (let request = 0; request < count; request += 1) await gate.admit({ ip, headers }, nodeResponse());
    };

    await send(300, {});
    const [before, reads] = [codes(), trust.mock.calls.length];
    await send(64, forwarded);

    // The first hundred, and one of 64.
    expect([before, reads]).toEqual([[], 103]);
    expect(codes()).toEqual(['SLUICE_FORWARDED_UNTRUSTED']);
  });
});

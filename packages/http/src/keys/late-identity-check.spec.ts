import type { KeyFunction } from '../../../core/src/limiter/keys/key-function.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import type * as Core from '../index.js';
import type { HttpRequest } from '../request/request.js';

type Request = HttpRequest & { account?: unknown };
type Found = Partial<Pick<Request, 'account' | 'user' | 'session' | 'sessionID'>>;

const ip = '192.0.2.1';
const cookie = { cookie: 'sid=s1' };

describe('LateIdentityCheck', () => {
  let keys: typeof Core;
  let emitted: jest.SpyInstance;

  beforeEach(async () => {
    freshModules();
    keys = await import('../index.js');
    emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  });

  afterEach(() => emitted.mockRestore());

  /** A request that the application identifies before its limit, or after it. */
  async function send(
    key: KeyFunction<Request>,
    { before = {}, after = {} }: { before?: Found; after?: Found },
    gate = keys.createGate<Request>({ key, limit: 100, window: '1m' }),
  ) {
    const request: Request = { ip, headers: cookie, ...before };
    const response = nodeResponse();
    const { state } = await gate.admit(request, response);
    // What sets the identity does not run for a denied request.
    if (state === 'admitted') Object.assign(request, after);
    response.emit('finish');
    await new Promise(setImmediate);
  }

  const texts = () => emitted.mock.calls.map(([text, { code }]: [string, { code: string }]) => `${code} ${text}`);
  const account = () => keys.by<Request>('account', (request) => request.account);

  it.each<[string, () => KeyFunction<Request>, Found]>([
    ["by('account')", account, { account: 'ada' }],
    ["by('account')", () => keys.by<Request>('account', async (request) => request.account), { account: 17 }],
    ['byApiKey', () => keys.byApiKey<Request>({ from: (request) => request.account }), { account: 'ada' }],
    ['byJwtSubject', () => keys.byJwtSubject(), { user: { sub: 'ada' } }],
    [
      'byJwtSubject',
      () => keys.byJwtSubject<Request>({ from: ({ account: claims }) => claims }),
      { account: { sub: 'ada' } },
    ],
    ['bySession', () => keys.bySession(), { sessionID: 's1', session: {} }],
    ["by('account')", () => keys.compose(keys.byIp(), account()), { account: 'ada' }],
  ])('warns once when %s finds the identities of 5 requests too late', async (owner, makeKey, after) => {
    const key = makeKey();

    for (let request = 0; request < 4; request += 1) await send(key, { after });
    expect(texts()).toEqual([]);
    for (let request = 0; request < 4; request += 1) await send(key, { after });

    expect(texts()).toEqual([expect.stringMatching(/^SLUICE_IDENTITY_TOO_LATE /)]);
    expect(texts()).toEqual([expect.stringContaining(` ${owner}: the first requests had no identity`)]);
  });

  it.each([1, 2, 4])(
    'warns at the first denial by a limit of %i, if all admitted requests were late',
    async (limit) => {
      const key = account();
      const gate = keys.createGate<Request>({ key, limit, window: '1m' });

      for (let request = 0; request < limit; request += 1)
        await send(key, { after: { account: `user ${request}` } }, gate);
      expect(texts()).toEqual([]);
      await send(key, { after: { account: 'ada' } }, gate);

      expect(texts()).toEqual([expect.stringMatching(/^SLUICE_IDENTITY_TOO_LATE /)]);
    },
  );

  it('does not warn at a denial after anonymous requests', async () => {
    const key = account();
    const gate = keys.createGate<Request>({ key, limit: 2, window: '1m' });

    for (const after of [{}, { account: 'ada' }, {}]) await send(key, { after }, gate);

    expect(texts()).toEqual([]);
  });

  it('does not warn of anonymous requests', async () => {
    const key = account();

    for (let request = 0; request < 6; request += 1) await send(key, {});

    expect(texts()).toEqual([]);
  });

  it('does not warn of logins, whose clients have the identity at their next request', async () => {
    const key = account();

    await send(key, { after: { account: 'ada' } });
    await send(key, { before: { account: 'ada' } });
    for (let request = 0; request < 6; request += 1) await send(key, { after: { account: 'grace' } });

    expect(texts()).toEqual([]);
  });

  it('reads again for the first 1 000 requests only', async () => {
    const read = jest.fn();
    const key = keys.by<Request>('account', read);

    for (let request = 0; request < 1_010; request += 1) await send(key, {});

    expect(read).toHaveBeenCalledTimes(2_010);
  });

  it('ignores a function that fails after the response', async () => {
    let calls = 0;
    const read = () => {
      calls += 1;
      if (calls % 2 === 0) throw new Error('too late');
    };
    const key = keys.by<Request>('account', read);

    for (let request = 0; request < 6; request += 1) await send(key, { after: { account: 'ada' } });

    expect([calls, texts()]).toEqual([12, []]);
  });
});

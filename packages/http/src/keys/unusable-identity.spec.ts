import { freshModules } from '../../../../test/support/fresh-modules.js';
import type * as Core from '../index.js';

describe('warnOfUnusable', () => {
  let keys: typeof Core;
  let emitted: jest.SpyInstance;

  beforeEach(async () => {
    freshModules();
    keys = await import('../index.js');
    emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  });

  afterEach(() => emitted.mockRestore());

  const ip = '192.0.2.1';
  const byAddress = { kind: 'ip', parts: [ip] };
  const texts = () => emitted.mock.calls.map(([text, { code }]: [string, { code: string }]) => `${code} ${text}`);

  class ObjectId {
    readonly id = 'ada';
    toString(): string {
      return this.id;
    }
  }

  it.each<[string, unknown]>([
    ['an object', new ObjectId()],
    ['an array of 1', ['ada']],
    ['a function', function ada() {}],
    ['a boolean', true],
    ['a symbol', Symbol('ada')],
  ])('warns once of %s, without its content', (kind, id) => {
    const key = keys.by('user', () => id);

    const identities = [key({ ip }), key({ ip })];

    expect(identities).toEqual([byAddress, byAddress]);
    expect(texts()).toEqual([
      `SLUICE_IDENTITY_UNUSABLE by('user'): the identity is ${kind}, so that otherwise identifies the client: convert it to text, such as String(id)`,
    ]);
  });

  it('warns of what byApiKey gets from the application', async () => {
    const key = keys.byApiKey({ from: async () => new ObjectId() });

    await expect(key({ ip })).resolves.toEqual(byAddress);
    expect(texts()).toEqual([expect.stringMatching(/^SLUICE_IDENTITY_UNUSABLE byApiKey: the identity is an object/)]);
  });

  it.each<[unknown]>([[undefined], [null], [''], [false], [NaN], [1.5], ['k'.repeat(513)], [10n ** 600n]])(
    'does not warn of %p',
    (id) => {
      expect(keys.by('user', () => id)({ ip })).toEqual(byAddress);
      expect(texts()).toEqual([]);
    },
  );

  it('does not warn of a query that a client has sent as an array', () => {
    expect(keys.byApiKey({ query: 'key' })({ ip, query: { key: ['ada'] } })).toEqual(byAddress);
    expect(texts()).toEqual([]);
  });
});

import type { IncomingMessage } from 'node:http';

import type { GateTier } from '@sluice/core';
import { fakeClock } from '@sluice/core/testing';
import { parseList } from 'structured-headers';

import { parametersAsSent, toldBy } from './told.js';
import { visitor } from './visitor.js';

const NOW = Date.UTC(2030, 0, 1);
const minute = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' } as const;
const hour = { ...minute, name: 'hour', limit: 100, window: '1h' } as const;
const bucket = { ...minute, algorithm: 'token-bucket' } as const;

let clock = fakeClock(NOW);

beforeEach(() => {
  clock = fakeClock(NOW);
  jest.spyOn(Date, 'now').mockImplementation(() => clock());
});
afterEach(() => jest.restoreAllMocks());

describe('draft-11', () => {
  it('C1 C9 is two lists that structured-headers parses, with a member for each tier in one field', () => {
    const { response } = tells([minute, hour])();

    expect(parseList(String(response.getHeader('RateLimit-Policy')))).toHaveLength(2);
    expect(parseList(String(response.getHeader('RateLimit')))).toHaveLength(2);
  });

  it('C2 C13 has names of any printable ASCII that a tier may have, as strings', () => {
    const name = "a;q=1, b/c:d*e'f@[g]~ !#$&()+-.<=>?^_`|h";

    const { told } = tells([{ ...minute, name }])();

    expect([told.policies, told.limits].map(([member]) => member!.name)).toEqual([name, name]);
  });

  it.each([
    'a"b',
    String.raw`a\b`,
    'a{b',
    'a}b',
    'a%b',
    'a\tb',
    'a\r\nSet-Cookie: b',
    'ä',
    '\u0000',
    '',
    'x'.repeat(65),
  ])('C13 refuses the name %j at configuration, rather than escaping it', (name) => {
    const make = () => tells([{ ...minute, name }]);

    expect(make).toThrow(expect.objectContaining({ name: 'ConfigError', code: 'TIER_NAME_INVALID' }));
  });

  it.each([NaN, Infinity, -1, 0, 1e15, 1.5, '5', null])('C14 refuses the limit %p at configuration', (limit) => {
    const make = () => tells([{ ...minute, limit: limit as number }]);

    expect(make).toThrow(expect.objectContaining({ name: 'ConfigError', code: 'LIMIT_INVALID' }));
  });

  it('C3 C11 has the parameters q, w, r and t only, in lower case, as plain integers', () => {
    const { response } = tells([{ ...minute, limit: 4_294_967_295 }, hour])();

    const sent = ['RateLimit-Policy', 'RateLimit'].flatMap((name) => parametersAsSent(response, name));

    expect(sent.filter((text) => text !== '')).toEqual([
      ';q=100',
      ';w=3600',
      ';q=4294967295',
      ';w=60',
      ';r=99',
      ';t=3600',
      ';r=4294967294',
      ';t=60',
    ]);
  });

  it('C4 tells the limit that was used for this request, where it depends on the request', () => {
    let limit = 10;
    const visit = tells([{ ...minute, limit: () => limit }]);

    const quotas = [10, 20, 5].map((each) => {
      limit = each;
      return visit().told.policies[0]!.parameters['q'];
    });

    expect(quotas).toEqual([10, 20, 5]);
  });

  it.each([
    [500, 1],
    [1_500, 2],
    [60_000, 60],
  ])('C5 tells a window of %d ms as w=%d', (window, w) => {
    expect(tells([{ ...minute, window }])().told.policies[0]!.parameters['w']).toBe(w);
  });

  it('C6 C15 has one unit less after a first request, and as many less as it costs', () => {
    expect(tells([minute])().told.limits[0]!.parameters['r']).toBe(4);
    expect(tells([minute])(3).told.limits[0]!.parameters['r']).toBe(2);
  });

  it('C16 never has more than before within a fixed window, whose end comes nearer', () => {
    const visit = tells([minute]);

    const limits = Array.from({ length: 6 }, () => {
      clock.advance('9s');
      return visit().told.limits[0]!.parameters;
    });

    expect(limits.map(({ r }) => r)).toEqual([4, 3, 2, 1, 0, 0]);
    expect(limits.map(({ t }) => t)).toEqual([60, 51, 42, 33, 24, 15]);
  });

  it('C17 has what is left last for t, at no more than q in w', () => {
    const visit = tells([{ ...bucket, limit: 7 }]);

    const limits = Array.from({ length: 7 }, () => visit().told.limits[0]!.parameters);

    expect(limits.map(({ t }) => t)).toEqual([52, 43, 35, 26, 18, 9, 9]);
    for (const { r, t } of limits) expect(r! / t!).toBeLessThanOrEqual(7 / 60);
  });

  it('C25 has the violated policy with r=0 when it denies, what is really left of others, and all policies', () => {
    const { told } = tells([minute, hour])(5, 1);

    expect(told.policies.map(({ name }) => name)).toEqual(['hour', 'minute']);
    expect(told.limits).toEqual([
      { name: 'hour', parameters: { r: 95, t: 3_600 } },
      { name: 'minute', parameters: { r: 0, t: 60 } },
    ]);
  });

  it('C25 has r=0 for what denies, also when a cheaper request would fit', () => {
    expect(tells([minute])(2, 4).told.limits[0]!.parameters['r']).toBe(0);
  });
});

describe('Retry-After', () => {
  it('C22 C23 is the longest wait of all policies that deny, in whole seconds', () => {
    const { told, response } = tells([
      { ...bucket, limit: 5 },
      { ...hour, limit: 5 },
    ])(5, 1);

    expect(told.limits.map(({ parameters }) => parameters['t'])).toEqual([3_600, 12]);
    expect(response.getHeader('Retry-After')).toBe('3600');
  });

  it('C22 is the one field of that name, whatever the policies are called', () => {
    const { response } = tells([minute, hour])(5, 1);

    expect(response.getHeaderNames().filter((name) => name.startsWith('retry-after'))).toEqual(['retry-after']);
  });

  it('C24 C31 comes nearer while requests are denied, and admits when it has passed', () => {
    const visit = tells([{ ...bucket, limit: 1 }]);
    visit();

    const waits = Array.from({ length: 6 }, () => {
      const { retryAfter } = visit().told;
      clock.advance('10s');
      return retryAfter;
    });

    expect(waits).toEqual([60, 50, 40, 30, 20, 10]);
    expect(visit().told.retryAfter).toBeUndefined();
  });
});

/** What draft-11 tells of the last of some visits. */
function tells(tiers: readonly GateTier<IncomingMessage>[]) {
  const visit = visitor(clock, tiers, ['draft-11']);
  return (...costs: number[]) => {
    const { response } = visit(...costs);
    return { response, told: toldBy(response) };
  };
}

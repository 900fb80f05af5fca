import { CoolDown } from './cool-down.js';

const DAY_MS = 86_400_000;

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
afterEach(() => jest.useRealTimers());

describe('CoolDown.of', () => {
  it.each<[Record<string, string>, number]>([
    [{ 'retry-after': '5' }, 5_000],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Fri, 02 Jan 2026 00:00:00 GMT' }, DAY_MS],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 1],
    [{ 'retry-after': '99999999999' }, 2 ** 32 - 1],
    [{ 'retry-after': '2', 'retry-after-ms': '1234.5' }, 1_235],
    [{ 'retry-after': 'soon', 'retry-after-ms': 'soon' }, 1_000],
    [{}, 1_000],
  ])('reads the pause of %j, from fetch and from Node', (headers, milliseconds) => {
    const answers = [new Response(null, { status: 429, headers }), { headers }];

    expect(answers.map((answer) => CoolDown.of(answer).milliseconds)).toEqual([milliseconds, milliseconds]);
  });

  it('takes another pause for an answer that does not say', () => {
    expect(CoolDown.of({ headers: {} }, '1m').milliseconds).toBe(60_000);
    expect(CoolDown.of({ headers: { 'retry-after': '5' } }, '1m').milliseconds).toBe(5_000);
  });

  it('rounds a part of a millisecond up', () => {
    expect(CoolDown.of({ headers: {} }, 1.2).milliseconds).toBe(2);
  });
});

describe('CoolDown', () => {
  it.each(['soon', 0, -1, '60d'])('rejects %p', (duration) => {
    expect(() => new CoolDown(duration)).toThrow('CoolDown: the duration must be a duration from 1 ms to 49 days');
  });
});

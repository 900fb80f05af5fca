import { changedTerms, type Charging, type Claim } from '../model/claim.js';
import { EPOCH } from '../../../../test/support/budget.js';
import { KeyStates } from '../../../../test/support/key-states.js';
import { peekGroup } from './group.js';
import { definePolicy } from './named/policy-options.js';

const HOUR = 3_600_000_000;

type ClaimOptions = Partial<Claim> & { readonly charge?: Charging };

/** A claim of a fixed window of an hour. */
function tier(key: string, limit: number, { charge = 'admitted', ...claim }: ClaimOptions = {}): Claim {
  const policy = definePolicy({ algorithm: 'fixed-window', limit, window: '1h' });
  return {
    tier: key,
    key,
    policy,
    cost: 1,
    shadow: false,
    record: undefined,
    terms: changedTerms(undefined, { charge }),
    ...claim,
  };
}

const full = tier('full', 1);

/** A claim of 5 units, and its ruling in a group: units charged, units left, and the wait. */
const rulings: [name: string, claim: ClaimOptions, others: Claim[], charged: number, left: number, wait: number][] = [
  ['is charged when every claim fits', { cost: 3 }, [tier('user', 1)], 3, 2, 0],
  ['is not charged when another claim denies', { cost: 3 }, [full], 0, 5, 0],
  ['is not charged when it denies', { cost: 6 }, [tier('user', 1)], 0, 5, -1],
  ['is not charged in shadow mode when another claim denies', { shadow: true }, [full], 0, 5, 0],
  ['is charged when only a shadow claim denies', {}, [{ ...full, shadow: true }], 1, 4, 0],
  ['is charged with charge all when another claim denies', { charge: 'all' }, [full], 1, 4, 0],
  ['is charged up to full with charge all when it denies', { charge: 'all', cost: 6 }, [], 5, 0, -1],
  ['is charged with charge denied when another claim denies', { charge: 'denied' }, [full], 1, 4, 0],
  ['is not charged with charge denied when every claim fits', { charge: 'denied' }, [tier('user', 1)], 0, 5, 0],
  ['is not charged with charge denied when it denies', { charge: 'denied', cost: 6 }, [full], 0, 5, -1],
  [
    'is not charged with charge denied when a shadow claim denies',
    { charge: 'denied' },
    [{ ...full, shadow: true }],
    0,
    5,
    0,
  ],
  ['denies from the charge on that uses it up', { charge: 'denied', cost: 5 }, [full], 5, 0, HOUR],
  ['is not charged at a cost of 0', { cost: 0, charge: 'all' }, [tier('user', 1)], 0, 5, 0],
];

describe('A claim of a group', () => {
  it.each(rulings)('%s', (_name, claim, others, charged, remaining, retryAfter) => {
    const states = new KeyStates();
    states.decide([full], EPOCH);

    const [ruling] = states.decide([tier('ip', 5, claim), ...others], EPOCH);

    expect(ruling).toMatchObject({ charged, remaining, retryAfter });
    expect(states.state('ip') === undefined).toBe(charged === 0);
    expect(states.state('full')).toEqual([1, EPOCH + HOUR]);
  });

  it('waits longer after each charge of a denied request, until it is full', () => {
    const states = new KeyStates();
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 10, window: 1000 });
    const attempts = tier('attempts', 1, { policy, charge: 'all', cost: 4 });

    const results = [1, 2, 3, 4].map(() => states.decide([attempts], EPOCH)[0]!);

    expect(results.map(({ charged, remaining, retryAfter }) => [charged, remaining, retryAfter])).toEqual([
      [4, 6, 0],
      [4, 2, 0],
      [2, 0, 400_000],
      [0, 0, 400_000],
    ]);
  });

  it('is not changed by a peek', () => {
    const states = new KeyStates();
    const claims = [tier('ip', 2), tier('attempts', 2, { charge: 'all' })];
    states.decide(claims, EPOCH);
    const before = states.state('ip');

    expect(states.decide(claims, EPOCH, peekGroup)[0]).toMatchObject({ charged: 0, remaining: 1, retryAfter: 0 });
    expect(states.decide([tier('ip', 2, { cost: 2 })], EPOCH, peekGroup)[0]).toMatchObject({ retryAfter: HOUR });
    expect(states.state('ip')).toBe(before);
  });

  it('is changed by a denial only when its date was ahead of the clock', () => {
    const states = new KeyStates();
    states.decide([full], EPOCH + 10 * HOUR);
    const late = states.state('full');

    states.decide([full], EPOCH + 10 * HOUR);
    expect(states.state('full')).toBe(late);

    states.decide([full], EPOCH);
    expect(states.state('full')).toEqual([1, EPOCH + HOUR]);
  });
});

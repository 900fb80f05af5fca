import type { Claim } from '../model/claim.js';
import { StoreError } from '../model/errors.js';
import { claim as claimOf } from '../../../../test/support/claim.js';
import { RemoteStore } from '../../../../test/support/remote-store.js';
import { compose, type WrappedStore } from './composed/compose.js';
import type { Answer, Reception } from './store.js';
import { HotKeys } from './with-lease/hot-keys.js';

type Group = Parameters<RemoteStore['consume']>[0];

/** A store that hands its answers over, as Redis does. */
class DecidingStore extends RemoteStore {
  isDown = false;

  decide(group: Group, reception: Reception) {
    if (this.isDown) return reception.onError(group, lost);
    return this.consume(group).then(
      (answer) => reception.onAnswer(group, answer),
      (error: unknown) => reception.onError(group, error),
    );
  }
}

const lost = new StoreError('STORE_UNAVAILABLE', 'no reply');
const HOUR = 3_600_000;
const policy = { algorithm: 'fixed-window', limit: 5, window: HOUR } as const;
const minute = { ...policy, limit: 3, window: 60_000 } as const;

/** All layers one around the other, or in one step. */
type Way = 'layers' | 'remote';

interface Options {
  readonly isCached: boolean;
  readonly isLeased: boolean;
}

/** Charges rates with refunds, resets and an outage between them. Returns the answers, and how many checks the store got. */
async function story(store: RemoteStore, way: Way, { isCached, isLeased }: Options) {
  jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
  const composed = compose(store, new HotKeys(1, 1));
  const wrapped: WrappedStore = isCached ? composed.cached : composed.uncached;
  const charge = way === 'layers' ? wrapped.chargeRates : wrapped.chargerOf(isLeased);
  const lease = isLeased ? { units: 3, duration: 10_000 } : undefined;
  const [ada, grace] = ['ada', 'grace'].map((tag) => claimOf({ policy, tag, lease })) as [Claim, Claim];
  const brief = claimOf({ policy: minute, tag: 'ada', tier: 'minute' });
  const seen: unknown[] = [];
  const consume = async (group: Group): Promise<Answer> => {
    const answer = await charge(group);
    const { outcomes, receipts, source, fallback } = answer;
    // The local store has the clock of the process.
    const durations = source === 'local' ? { replenishAfter: 0, resetAfter: 0 } : {};
    const shown = outcomes.map((outcome) => ({ ...outcome, ...durations }));
    seen.push([shown, receipts.map(({ tier, units }) => [tier, units]), source, fallback]);
    return answer;
  };

  for (let check = 0; check < 4; check += 1) await consume([ada, brief]);
  const { receipts } = await consume([grace]);
  store.clock.advance(61_000);
  await consume([ada, brief]);
  await consume([
    { ...ada, shadow: true },
    { ...brief, cost: 2 },
  ]);
  await consume([{ ...ada, cost: 9 }]);
  await wrapped.refund(receipts);
  store.failure = lost;
  await consume([ada]);
  await consume([grace, { ...brief, onStoreFailure: 'allow' }]);
  store.failure = undefined;
  await wrapped.reset([ada.key]);
  for (let check = 0; check < 7; check += 1) await consume([ada]);
  return { seen, sent: store.groups.length };
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('RemoteRates', () => {
  it.each([
    ['a store', { isCached: true, isLeased: false }, () => new RemoteStore()],
    ['a store', { isCached: false, isLeased: false }, () => new RemoteStore()],
    ['a store', { isCached: true, isLeased: true }, () => new RemoteStore()],
    ['a store that hands its answers over', { isCached: true, isLeased: false }, () => new DecidingStore()],
    ['a store that hands its answers over', { isCached: false, isLeased: false }, () => new DecidingStore()],
    ['a store that hands its answers over', { isCached: true, isLeased: true }, () => new DecidingStore()],
  ])('answers for %s as all layers together do: %j', async (_name, options, make) => {
    const remote = await story(make(), 'remote', options);
    const layered = await story(new RemoteStore(), 'layers', options);

    expect(remote).toEqual(layered);
    expect(remote.seen.some((each) => JSON.stringify(each).includes('"lease"'))).toBe(options.isLeased);
  });

  it('takes no promise for a request that the deny cache or the fallback answers', async () => {
    const store = new DecidingStore();
    jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
    const charge = compose(store).cached.chargerOf(false);
    const full = claimOf({ policy, cost: 5 });
    for (let check = 0; check < 2; check += 1) await charge([full]);
    store.isDown = true;

    const answers = [charge([full]), charge([claimOf()])];

    expect(answers).toMatchObject([{ source: 'deny-cache' }, { source: 'local', fallback: 'local' }]);
  });
});

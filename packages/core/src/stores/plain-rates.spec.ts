import { StoreError } from '../model/errors.js';
import { claim as claimOf } from '../testing/internal/claim.js';
import { RemoteStore } from '../testing/internal/remote-store.js';
import { compose, type WrappedStore } from './compose.js';
import type { Answer, Reception } from './store.js';

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

/** Charges rates with refunds, resets and an outage between them. Returns the answers, and how many checks the store got. */
async function story(store: RemoteStore, way: 'chargeRates' | 'chargePlainRates', isCached: boolean) {
  jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
  const composed = compose(store);
  const wrapped: WrappedStore = isCached ? composed.cached : composed.uncached;
  const [ada, grace] = [claimOf({ policy, tag: 'ada' }), claimOf({ policy, tag: 'grace' })];
  const brief = claimOf({ policy: minute, tag: 'ada', tier: 'minute' });
  const seen: unknown[] = [];
  const consume = async (group: Group): Promise<Answer> => {
    const answer = await wrapped[way](group);
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

describe('PlainRates', () => {
  it.each([
    ['a store', true, () => new RemoteStore()],
    ['a store', false, () => new RemoteStore()],
    ['a store that hands its answers over', true, () => new DecidingStore()],
    ['a store that hands its answers over', false, () => new DecidingStore()],
  ])('answers for %s as all layers together do, with a deny cache: %s', async (_name, isCached, make) => {
    const plain = await story(make(), 'chargePlainRates', isCached);
    const layered = await story(new RemoteStore(), 'chargeRates', isCached);

    expect(plain).toEqual(layered);
  });

  it('takes no promise for a request that the deny cache or the fallback answers', async () => {
    const store = new DecidingStore();
    jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
    const { chargePlainRates } = compose(store).cached;
    const full = claimOf({ policy, cost: 5 });
    for (let check = 0; check < 2; check += 1) await chargePlainRates([full]);
    store.isDown = true;

    const answers = [chargePlainRates([full]), chargePlainRates([claimOf()])];

    expect(answers).toMatchObject([{ source: 'deny-cache' }, { source: 'local', fallback: 'local' }]);
  });
});

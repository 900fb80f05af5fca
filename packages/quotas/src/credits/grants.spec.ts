import * as fc from 'fast-check';
import { algorithmOf, definePolicy, type Receipt } from '@sluice/core/internal';
import { type Account, EMPTY, leftIn, reconcile, upToDate } from './account.js';
import { credit } from './credited-account.js';
import { balance } from './balance-option.js';
import { hasEnded, MAX_GRANTS } from './grants.js';
import { postedFrom } from './posted.js';

const START = Date.UTC(2030, 0, 1);
const policy = definePolicy({ algorithm: balance() });
const steps = algorithmOf(policy);

/** One of the things that happen to a balance. */
type Act = (world: World) => void;

/** A balance, and what an application knows of it: what it was told alone. */
class World {
  now = START;
  state: Account = EMPTY;
  readonly problems: string[] = [];
  /** Of all calls and requests. */
  readonly sums = { credited: 0, debited: 0, reconciled: 0, spent: 0 };
  readonly receipts: Pick<Receipt, 'units' | 'at' | 'before'>[] = [];
  #id = 0;

  change(units: number, terms: { expiresAt?: number; order?: number } = {}): void {
    this.#id += 1;
    const before = this.state;
    const after = credit(this.state, { units, id: `${this.#id}`, ...terms }, this.now);
    if (after === undefined || after.credited.full !== undefined) {
      if (after !== undefined && after.state !== before) this.problems.push('a refused credit has changed the balance');
      return;
    }
    this.state = after.state;
    if (units > 0) this.sums.credited += units;
    else this.sums.debited += -units - (after.credited.rest ?? 0);
  }

  spend(cost: number): void {
    const read = steps.read(this.state, this.now, policy) as Account;
    if (steps.wait(read, this.now, policy, cost) !== 0) return;
    const charged = steps.charge(read, this.now, policy, cost) as Account;
    const result = { cost, charged: cost, retryAfter: 0, stored: this.state };
    const { before } = steps.describe(charged, this.now, policy, result);
    this.receipts.push({ units: cost, at: this.now, ...(before !== undefined && { before }) });
    this.state = charged;
    this.sums.spent += cost;
  }

  refund(part: number): void {
    const receipt = this.receipts.shift();
    if (receipt === undefined) return;
    const units = Math.max(1, Math.floor(receipt.units * part));
    const { state, given } = steps.refund(this.state, this.now, policy, { ...receipt, units, until: 0 });
    this.state = state as Account;
    this.sums.spent -= given;
  }

  reconcile(units: number): void {
    const before = leftIn(upToDate(this.state, this.now));
    this.state = reconcile(this.state, { units, since: Number.MAX_SAFE_INTEGER }, this.now);
    this.sums.reconciled += units - before;
  }

  /** All postings, also those that a balance has forgotten: what has ended is what was not left, spent or debited. */
  check(): void {
    this.state = upToDate(this.state, this.now);
    const { credited, debited, reconciled, spent } = this.sums;
    const gone = credited + reconciled - debited - spent - leftIn(this.state);
    if (gone < 0) this.problems.push(`${-gone} units more than were credited`);
    if (this.state.grants.some((each) => hasEnded(each, this.now))) this.problems.push('a grant that has ended');
    if (this.state.grants.length > MAX_GRANTS + 1) this.problems.push(`${this.state.grants.length} grants`);
    if (this.state.posted > this.state.postings.length) return;
    const ended = this.state.postings.filter(({ kind }) => kind === 'expiry' || kind === 'lost');
    const posted = ended.reduce((sum, each) => sum - each.units, 0);
    if (posted !== gone) this.problems.push(`${gone} units are gone, and ${posted} in postings`);
  }
}

const units = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 2 ** 40 }));
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ units, order: fc.integer({ min: 0, max: 3 }), end: fc.integer({ min: 0, max: 40 }) }).map(
    (each): Act =>
      (world) =>
        world.change(each.units, { order: 49 + each.order, expiresAt: each.end === 0 ? 0 : world.now + each.end }),
  ),
  units.map(
    (each): Act =>
      (world) =>
        world.change(-each),
  ),
  fc.integer({ min: 1, max: 60 }).map(
    (cost): Act =>
      (world) =>
        world.spend(cost),
  ),
  fc.double({ min: 0, max: 1, noNaN: true }).map(
    (part): Act =>
      (world) =>
        world.refund(part),
  ),
  fc.nat(100).map(
    (ledger): Act =>
      (world) =>
        world.reconcile(ledger),
  ),
  fc.nat(20).map(
    (pause): Act =>
      (world) =>
        void (world.now += pause),
  ),
);

describe('A balance of grants', () => {
  it('is what was credited, less what was spent, debited and has ended, after each step of any history', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const world = new World();
        for (const each of acts) {
          each(world);
          world.check();
        }

        expect(world.problems).toEqual([]);
      }),
    );
  });

  it('gives a whole charge back to the grants that it has taken it from, while none has ended', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ units: fc.integer({ min: 1, max: 20 }), order: fc.nat(9) }), {
          minLength: 1,
          maxLength: 2,
        }),
        fc.integer({ min: 1, max: 40 }),
        (grants, cost) => {
          const world = new World();
          for (const { units: added, order } of grants) world.change(added, { order, expiresAt: START + 1_000 });
          const before = world.state.grants;
          world.spend(cost);
          world.refund(1);

          expect(world.state.grants).toEqual(before);
        },
      ),
    );
  });

  it('reads the postings that it writes', () => {
    fc.assert(
      fc.property(fc.string(), units, (note, added) => {
        const { state } = credit(EMPTY, { units: added, id: 'a', note }, START)!;
        const shown = credit(state, { units: 0, id: '' }, START)!.credited.postings!;

        expect(shown.map(postedFrom)).toEqual(state.postings);
      }),
    );
  });
});

import type { Notice } from '../../../packages/core/src/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import type { Fleet } from '../fleet.js';
import type { SentRequest } from '../requests.js';
import type { Keyspace } from '../redis/keyspace.js';
import type { SimServer } from '../redis/sim-server.js';
import { Credited } from './credited.js';
import { Kept } from './kept.js';
import { keyspacesOf, readQuota, type StoredQuota } from './stored-quota.js';

export interface QuotaTerms {
  /** Units of a month. */
  readonly limit: number;
  /** Parts of the limit that are told. */
  readonly marks: readonly number[];
  /** Units of one credit. */
  readonly credit: number;
  /** Units at which the balance is low. Undefined: it tells nothing, and no pass looks at it. */
  readonly low: number | undefined;
  /** The first hour since 1970 of the month that it is in the end. */
  readonly since: number;
}

/** Faults that lose no reply. */
const HEARD: ReadonlySet<string> = new Set(['the network is slow', 'a process stalls', 'Redis forgets its scripts']);

/** Of replies that overtake each other. */
const WAY_MS = 50;
/** Of the end of a window, which Redis rounds to milliseconds. */
const END_MS = 1;

/** What must hold for one customer: of its month, its credits, its usage and the marks that were told. */
export class QuotaLaws {
  readonly kept: Kept;
  readonly credited: Credited;
  readonly #fleet: Fleet;
  readonly #faults: () => readonly string[];
  readonly #user: string;
  readonly #terms: QuotaTerms;
  /** When its balance was low last. */
  #lowAt = -Infinity;
  readonly #told: { readonly notice: Notice; readonly since: number; readonly at: number }[] = [];
  #low = 0;
  /** Requests, corrections and credits, and the last of them that has begun beside another one. */
  #begun = 0;
  #crowdedAt = 0;
  /** When those have begun that have not ended, by their numbers. */
  readonly #inFlight = new Map<number, number>();
  /** Units that Redis had counted, and units of credits, when it has lost them: below 0 where it has lost refunds. */
  readonly #lost = { counted: 0, credited: 0 };

  constructor(fleet: Fleet, faults: () => readonly string[], user: string, terms: QuotaTerms) {
    this.#fleet = fleet;
    this.#faults = faults;
    this.#user = user;
    this.#terms = terms;
    this.kept = new Kept(fleet, faults);
    this.credited = new Credited(fleet, terms.credit, () => this.kept.lateRefunds);
  }

  /** Something begins that may change counts or credits. @returns its number */
  begin(): number {
    this.#begun += 1;
    if (this.#inFlight.size > 0) this.#crowdedAt = this.#begun;
    this.#inFlight.set(this.#begun, this.#fleet.world.now);
    return this.#begun;
  }

  end(begun: number): void {
    this.#inFlight.delete(begun);
  }

  /**
   * What Redis has counted for a request, and for nothing else since it has begun. Undefined where a fault may hide some of that.
   *
   * @param begun its number
   */
  readAlone(begun: number): StoredQuota | undefined {
    const isAlone = begun === this.#begun && begun !== this.#crowdedAt;
    return isAlone && this.#faults().length === 0 ? this.#read() : undefined;
  }

  /** A request is denied by its month where neither the month nor the credits have as many units, whatever else denies it. */
  checkDenial({ decision, cost }: SentRequest, begun: number): void {
    if (decision?.allowed !== false || !decision.deniedBy.includes('month')) return;
    const quota = this.readAlone(begun);
    if (quota === undefined || (quota.used + cost > this.#terms.limit && quota.left < cost)) return;
    this.#fail(
      `${cost} are denied, although the month has ${quota.used} of ${this.#terms.limit}, and ${quota.left} are left of credits`,
    );
  }

  /** A request that reaches a mark gives it, also where it has asked several slots. */
  checkMarks({ decision }: SentRequest, begun: number): void {
    const quota = decision?.allowed === true ? this.readAlone(begun) : undefined;
    if (quota !== undefined) this.#checkReached(quota);
  }

  /** A request spends the grant that ends first, and the others when that has no more. @param before it has begun */
  checkSpent(before: StoredQuota | undefined, begun: number): void {
    const after = before && this.readAlone(begun);
    if (after === undefined) return;
    const leftAfter = new Map(after.grants.map(({ number, left }) => [number, left]));
    const inOrder = before!.grants.toSorted((one, other) => (one.ends || Infinity) - (other.ends || Infinity));
    // Those that end meanwhile are gone.
    const lasting = inOrder.filter(({ number }) => leftAfter.has(number));
    for (const [place, { number, left }] of lasting.entries()) {
      if (leftAfter.get(number)! >= left) continue;
      const earlier = lasting.slice(0, place).find((each) => leftAfter.get(each.number)! > 0);
      if (earlier !== undefined) this.#fail(`the grant ${number} is spent before ${earlier.number}, which ends sooner`);
    }
  }

  tell(notice: Notice): void {
    const { now } = this.#fleet.world;
    // What has reached the mark has no answer yet.
    this.#told.push({ notice, since: Math.min(now, ...this.#inFlight.values()), at: now });
  }

  /** A balance is low: again after a credit alone. */
  tellLow(): void {
    this.#low += 1;
    const before = this.#lowAt;
    this.#lowAt = this.#fleet.world.now;
    if (this.#faults().length > 0 || this.credited.mayHaveAdded(before - WAY_MS)) return;
    this.#fail(`it is low at ${before.toFixed(2)} and at ${this.#lowAt.toFixed(2)}, without a credit between them`);
  }

  /** Before a server loses data. @param left what it has afterwards */
  lose(server: SimServer, left: Keyspace): void {
    const before = this.#read();
    const after = this.#read(new Map([[server, left]]));
    this.#lost.counted += countedBy(before) - countedBy(after);
    this.#lost.credited += Math.max(0, before.spent + before.unspent - after.spent - after.unspent);
  }

  check(): void {
    const quota = this.#read();
    const isMoved = this.#has('a slot moves');
    // A key that moves to a server which has it again is dropped.
    if (!(isMoved && this.#faults().length > 1)) this.#checkConservation(quota);
    if (!this.#has('the clock of Redis')) this.#checkMonth(quota);
    this.#checkNotices(quota);
    // Only a credit lets it be low again.
    const most = this.credited.times + this.#jumps;
    if (this.#low > most) this.#fail(`it is low ${this.#low} times, and has at most ${most} credits`);
    if (this.#terms.low !== undefined) this.#checkEnded(quota, this.#terms.low);
  }

  /** A pass over all balances has found what has ended, and told those that have become low by it. */
  #checkEnded({ grants, left }: StoredQuota, low: number): void {
    const now = this.#fleet.server.time() / 1e3;
    const ended = grants.find((each) => each.ends > 0 && each.ends <= now && each.left > 0);
    if (ended !== undefined) this.#fail(`${ended.left} units of a grant have ended, and no posting says so`);
    const { creditedAt } = this.credited;
    const isHeard = this.#faults().every((name) => HEARD.has(name));
    if (!isHeard || creditedAt === undefined || left > low || this.#lowAt >= creditedAt) return;
    this.#fail(`${left} units are left, and nobody was told`);
  }

  #checkMonth({ used, usage }: StoredQuota): void {
    const { limit, since } = this.#terms;
    const counted = [...usage].reduce((sum, [hour, units]) => (hour >= since ? sum + units : sum), 0);
    // A refund of a charge that Redis has lost lowers the usage, and not the month.
    const isRight = this.#jumps === 0 ? used === counted : used >= counted;
    if (!isRight) this.#fail(`the month has ${used} units, and its usage ${counted}`);
    if (used > limit) this.#fail(`the month has counted ${used} of ${limit}`);
  }

  #checkConservation(quota: StoredQuota): void {
    const { spent, left, unspent } = quota;
    const { kept, credited } = this;
    const counted = countedBy(quota);
    const [least, most] = [kept.least - this.#lost.counted, kept.most - this.#lost.counted];
    this.#fleet.world.tell(
      'LEDGER',
      `${this.#user}: ${counted}, ${spent} of credits, ${left} left: ${least} to ${most}`,
    );
    if (counted < least) this.#fail(`Redis has counted ${counted}, although requests keep ${least}`);
    if (counted > most) this.#fail(`Redis has counted ${counted}, and requests keep at most ${most}`);
    // A refund lowers what was spent of a grant that Redis has lost, and no grant takes its units.
    const fewest = credited.least - this.#lost.credited - kept.lateRefunds;
    const known = spent + unspent;
    if (known >= fewest && known <= credited.most) return;
    this.#fail(`${spent + unspent} units were credited, and ${fewest} to ${credited.most} should be`);
  }

  /** Marks up to the count of a window were given in it. */
  #checkReached({ used, endsAt }: StoredQuota): void {
    const { marks, limit } = this.#terms;
    for (const mark of marks) {
      const isGiven = this.#told.some(
        ({ notice }) => notice.mark === mark && Math.abs(notice.endsAt - endsAt) <= END_MS,
      );
      if (used >= mark * limit && !isGiven) this.#fail(`${mark} is not given of the window that has ${used} units`);
    }
  }

  #checkNotices(quota: StoredQuota): void {
    const { marks, limit } = this.#terms;
    if (this.#faults().every((name) => HEARD.has(name))) this.#checkReached(quota);
    for (const mark of marks) {
      const told = this.#told.filter(({ notice }) => notice.mark === mark);
      const ends = told.map(({ notice }) => notice.endsAt);
      const given = told.length;
      // A window whose units all came back is over: the next request begins another one, with an end of its own.
      const most = new Set(ends).size + this.#jumps;
      if (given > most) this.#fail(`the mark ${mark} is given ${given} times, and at most ${most} times it may`);
      for (const { notice, since, at } of told) {
        const charged = this.kept.chargedUntil(at) + this.kept.chargedMeanwhile(since, at);
        if (notice.used <= charged && notice.used >= mark * limit) continue;
        this.#fail(`the mark ${mark} is given at ${notice.used} units, although only ${charged} may be charged`);
      }
    }
  }

  #read(left?: ReadonlyMap<SimServer, Keyspace>): StoredQuota {
    return readQuota(keyspacesOf(this.#fleet, left), digestOf(identityText(this.#user)));
  }

  get #jumps(): number {
    return this.#fleet.losses.length + this.#fleet.delays.length;
  }

  #has(part: string): boolean {
    return this.#faults().some((name) => name.includes(part));
  }

  #fail(problem: string): void {
    this.#fleet.world.fail(`${this.#user}: ${problem}`);
  }
}

/** Units of the month, and of the credits. */
function countedBy({ usage, spent }: StoredQuota): number {
  return [...usage.values()].reduce((sum, units) => sum + units, spent);
}

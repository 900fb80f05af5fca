import type { Limiter } from '../../../packages/core/src/index.js';
import { overridesOf } from '../../../packages/policies/src/overrides/index.js';
import type { Member } from '../fleet.js';
import type { SentRequest } from '../requests.js';
import { START } from '../world/globals.js';
import type { World } from '../world/world.js';

/** Milliseconds of clocks about the end of an override. */
const END_MS = 10;
const IDENTITY = 'bob';

/** Another limit for one client. Each process replaces or removes it in the middle, and it ends by the wall clock of each. */
export class ChangingOverride {
  readonly #world: World;
  readonly #first: number;
  /** Undefined: it is removed. */
  readonly #second: number | undefined;
  readonly #changesAt: number;
  readonly #endsAt: number;
  /** When a process has changed it. */
  readonly #changed = new Map<Member, number>();

  /** @param base the largest limit of the tier */
  constructor(world: World, base: number) {
    const { random } = world;
    const half = Math.ceil(base / 2);
    this.#world = world;
    this.#first = random.pick([half, 2 * base]);
    this.#second = random.pick([undefined, half + 1, 2 * base + 1]);
    this.#changesAt = random.integer(50, 2_000);
    this.#endsAt = random.integer(100, 3_000);
  }

  get limits(): readonly number[] {
    return this.#second === undefined ? [this.#first] : [this.#first, this.#second];
  }

  open<S>(member: Member, limiter: Limiter<S>): void {
    const { now } = this.#world;
    if (now >= this.#changesAt) {
      this.#change(member, limiter);
      return;
    }
    this.#set(limiter, this.#first);
    this.#world.at(this.#changesAt, () => member.process.deliver(() => this.#change(member, limiter)));
  }

  /** It decides until it is changed or ends, and not longer. */
  check({ member, decision, sentAt, answeredAt }: SentRequest): void {
    if (decision?.source !== 'redis') return;
    const { override, limit } = decision.outcomes[0]!;
    const found = override === undefined ? undefined : limit;
    const changedAt = this.#changed.get(member) ?? Infinity;
    const times = [sentAt, sentAt - END_MS, answeredAt, answeredAt + END_MS];
    if (changedAt >= sentAt && changedAt <= answeredAt) times.push(changedAt - 1e-6, changedAt);
    if (times.some((time) => this.#limitAt(time, changedAt) === found)) return;
    const when = `is changed at ${changedAt.toFixed(2)} and ends at ${this.#endsAt}`;
    this.#world.fail(
      `${IDENTITY} has the limit ${limit}, although its override of ${this.limits.join(', then ')} ${when}`,
    );
  }

  #limitAt(time: number, changedAt: number): number | undefined {
    if (time >= this.#endsAt) return undefined;
    return time >= changedAt ? this.#second : this.#first;
  }

  #change<S>(member: Member, limiter: Limiter<S>): void {
    this.#changed.set(member, this.#world.now);
    if (this.#second !== undefined) this.#set(limiter, this.#second);
    else overridesOf(limiter).remove({ tier: 'rate', identity: IDENTITY });
  }

  #set<S>(limiter: Limiter<S>, limit: number): void {
    // One that has ended cannot be set.
    if (this.#world.now >= this.#endsAt - END_MS) return;
    const until = START + this.#endsAt;
    overridesOf(limiter).set({ tier: 'rate', identity: IDENTITY, limit, until, reason: 'ticket 4711' });
  }
}

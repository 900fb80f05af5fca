import { consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import type { AlgorithmName } from '../../../packages/core/src/algorithms/named/algorithms.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { KeyStates } from '../../support/key-states.js';
import { ModelTwin, type Part } from './model/model-twin.js';
import { Random } from './random.js';
import type { RedisReply, RedisTwin } from './redis-twin.js';
import { Workload, type Consume, type Refund, type Renew } from './workload.js';

/** The calls of a workload: enough to pass several windows, and few enough to read. */
const CALLS = 60;

/** The twins or the model have different numbers. */
export class Difference extends Error {
  override name = 'Difference';
}

/**
 * Replays the workload of a seed in Lua, in TypeScript and on the model, and compares every number. Returns the number of
 * decided claims.
 *
 * @param algorithms the algorithms of the keys: at least one key has the first
 * @throws Difference
 */
export async function replay(redis: RedisTwin, algorithms: readonly AlgorithmName[], seed: number): Promise<number> {
  const replayed = new Replay(redis, algorithms, seed);
  for (let call = 0; call < CALLS && !replayed.workload.isOver; call += 1) await replayed.step();
  return replayed.claims;
}

class Replay {
  readonly workload: Workload;
  claims = 0;
  readonly #redis: RedisTwin;
  readonly #memory = new KeyStates();
  readonly #model = new ModelTwin();
  /** The last events. */
  #trace: Event[] = [];
  readonly #title: string;

  constructor(redis: RedisTwin, algorithms: readonly AlgorithmName[], seed: number) {
    this.#redis = redis;
    this.#title = `${algorithms.length === 1 ? algorithms[0] : 'mixed'}, seed ${seed}`;
    this.workload = new Workload(`${algorithms.length}${algorithms[0]}:${seed}`, algorithms, new Random(seed));
  }

  step(): Promise<void> {
    const call = this.workload.next();
    if (call.kind === 'consume') return this.#consume(call);
    return call.kind === 'refund' ? this.#refund(call) : this.#renew(call);
  }

  async #consume(call: Consume): Promise<void> {
    const reply = await this.#redis.consume(call.groups, call.now);
    this.#expire(reply, call.now);
    const rulings: Ruling[][] = [];
    for (const [index, group] of call.groups.entries()) {
      const ruled = this.#memory.decide(group.claims, call.now, group.peek ? peekGroup : consumeGroup);
      const lua = reply.result[index]!;
      this.#record(
        call.now,
        group.peek ? 'peek' : 'consume',
        group.claims.map((claim, place) => ({ ...claim, ruling: ruled[place] })),
      );
      for (const [place, ruling] of ruled.entries()) {
        if (!isSameRuling(ruling, lua[place]!))
          this.#differ(`${group.claims[place]!.key}: Redis decides ${JSON.stringify(lua[place])}`);
      }
      const parts = group.claims.map((claim, place): Part => ({
        claim,
        ruling: ruled[place]!,
        model: this.workload.models.get(claim.policy)!,
      }));
      const problems = this.#model.consume(parts, group.peek, BigInt(call.now));
      if (problems.length > 0) this.#differ(`the model finds: ${problems.join(', ')}`);
      rulings.push(ruled);
      this.claims += ruled.length;
    }
    this.#checkExpiry(reply, call);
    this.workload.record(call, rulings);
  }

  async #refund(call: Refund): Promise<void> {
    const permits = call.receipts.filter(({ name }) => name !== undefined);
    const others = call.receipts.filter(({ name }) => name === undefined);
    if (permits.length > 0)
      this.#compareRefunds({ ...call, receipts: permits }, await this.#redis.release(permits, call.now));
    if (others.length > 0)
      this.#compareRefunds({ ...call, receipts: others }, await this.#redis.refund(others, call.now));
  }

  async #renew(call: Renew): Promise<void> {
    const reply = await this.#redis.renew(call.receipts, call.now);
    this.#expire(reply, call.now);
    for (const [index, receipt] of call.receipts.entries()) {
      const lapsed = this.#memory.renew(receipt, call.now);
      const lua = reply.result[index]!;
      this.#record(call.now, 'renew', [{ ...receipt, lapsed }]);
      if (lapsed !== lua) this.#differ(`${receipt.key}: Redis finds ${lua} lapsed`);
      const defined = this.#model.renew(receipt, this.workload.models.get(receipt.policy)!, BigInt(call.now));
      if (defined !== BigInt(lapsed)) this.#differ(`${receipt.key}: the model finds ${defined} lapsed`);
    }
    this.#checkExpiry(reply, call);
  }

  #compareRefunds(call: Refund, reply: RedisReply<number[]>): void {
    this.#expire(reply, call.now);
    for (const [index, receipt] of call.receipts.entries()) {
      const refunded = this.#memory.refund(receipt, call.now);
      const lua = reply.result[index]!;
      this.#record(call.now, receipt.undone ? 'undo' : 'refund', [{ ...receipt, refunded }]);
      if (refunded !== lua) this.#differ(`${receipt.key}: Redis refunds ${lua}`);
      const defined = this.#model.refund(receipt, this.workload.models.get(receipt.policy)!, BigInt(call.now));
      if (defined !== BigInt(refunded)) this.#differ(`${receipt.key}: the model refunds ${defined}`);
    }
    this.#checkExpiry(reply, call);
  }

  /** A key may expire only when none of its units is used any more. */
  #expire({ expired }: RedisReply<unknown>, now: number): void {
    for (const key of expired) {
      const unused = this.workload.modelsOf(key).every((model) => this.#model.isUnused(key, model, BigInt(now)));
      this.#record(now, 'expires', [{ key }]);
      if (!unused) this.#differ(`${key} expires too early: ${JSON.stringify(this.#memory.state(key))}`);
      this.#memory.forget(key);
      this.#model.forget(key);
    }
  }

  #checkExpiry({ expiry }: RedisReply<unknown>, { now }: Consume | Refund | Renew): void {
    for (const [key, milliseconds] of expiry) {
      if (milliseconds === -1) this.#differ(`${key} has no TTL`);
      const end = milliseconds === -2 ? now : milliseconds * 1000;
      const unused = this.workload.modelsOf(key).every((model) => this.#model.isUnused(key, model, BigInt(end)));
      if (!unused) this.#differ(`${key} will expire too early, at ${end}: ${JSON.stringify(this.#memory.state(key))}`);
    }
  }

  #record(now: number, what: string, details: readonly object[]): void {
    this.#trace.push({ now, what, details });
    if (this.#trace.length > 40) this.#trace = this.#trace.slice(-12);
  }

  /** Shows the last events, because they usually contain the cause. The seed replays all of them. */
  #differ(difference: string): never {
    const lines = this.#trace
      .slice(-12)
      .map(({ now, what, details }) => `${now} ${what} ${JSON.stringify(details, shorten)}`);
    throw new Difference(`${this.#title}: ${difference}\n${lines.join('\n')}`);
  }
}

interface Event {
  readonly now: number;
  readonly what: string;
  readonly details: readonly object[];
}

function shorten(name: string, value: unknown): unknown {
  if (name === 'policy') return (value as Policy).numbers.join(' ');
  return name === 'tier' || value === false ? undefined : value;
}

function isSameRuling(one: Ruling, other: Ruling): boolean {
  return (
    one.charged === other.charged &&
    one.limit === other.limit &&
    one.remaining === other.remaining &&
    one.retryAfter === other.retryAfter &&
    one.replenishAfter === other.replenishAfter &&
    one.resetAfter === other.resetAfter &&
    one.delay === other.delay &&
    one.before === other.before
  );
}

import { channels } from '../../../events/channels.js';
import { warn } from '../../../events/warning.js';
import { StoreError } from '../../../model/errors.js';
import { canary } from './probe.js';
import type { Deadline } from './deadline.js';
import { warnOfEviction } from '../client/eviction.js';
import { classifyError } from './fault.js';
import { Call, type CallRequest } from './call.js';
import type { Endpoint } from './endpoint.js';
import { Endpoints } from './endpoints.js';
import type { RedisClient } from '../client/redis-client.js';
import { redactCommand } from './redis-error.js';
import { scriptRunner, type RunScript } from '../client/run-script.js';

/** A client that knows why it is not ready. */
interface Troubled extends RedisClient {
  readonly trouble?: Error | undefined;
}

/** Milliseconds after which the same refusal is worth telling again. */
const TOLD_FOR = 60_000;

/**
 * A client, as everything that is asked of it goes: only when it is ready, only past a closed breaker, and never for
 * longer than the deadline. Each call is sent once, and a reply that comes too late is ignored.
 */
export class Connection {
  readonly deadline: Deadline;
  /** Called whenever a call has come to its end. @param checks how many travelled in it */
  onSettled: (checks: number) => void = () => undefined;
  readonly #client: Troubled;
  readonly #run: RunScript;
  readonly #primaries: Endpoints;
  /** In the order in which they were begun. A set would drag along what has left it: docs/decisions/0020-pending-calls-in-lists.md. */
  readonly #underWay: Call[] = [];
  #checks = 0;
  #known = false;
  readonly #toldAt = new Map<string, number>();

  constructor(client: RedisClient, deadline: Deadline) {
    this.#client = client;
    this.#run = scriptRunner(client);
    this.deadline = deadline;
    this.#primaries = new Endpoints(client);
  }

  /** Checks that wait for an answer. */
  get checks(): number {
    return this.#checks;
  }

  /** @param now milliseconds of `performance.now()` */
  send(call: CallRequest, now: number): void {
    // The process was busy, and whoever asked has waited long enough.
    if (now >= call.asked + this.deadline.milliseconds) {
      call.fail(unavailable('the process was busy for longer than the deadline'));
      return;
    }
    const [key] = call.keys;
    const primary = this.#primaries.of(key);
    const { readiness, breaker } = primary;
    if (readiness === 'down') {
      call.fail(this.notReady(primary));
      return;
    }
    if (breaker.state !== 'closed') {
      if (key === undefined && breaker.isProbeDue(now)) {
        breaker.probe();
        this.#begin(new Call(this, call, primary, true)).go();
        return;
      }
      if (key !== undefined && breaker.isProbeDue(now)) this.#probe(key, primary, now);
      call.fail(unavailable('Redis has not answered for a while, and is left alone for a moment'));
      return;
    }
    const linked = this.#begin(new Call(this, call, primary));
    if (readiness === 'starting') primary.wait(linked);
    else linked.go();
  }

  /** Waits until all that has been sent so far has come to its end. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.map((linked) => linked.end()));
  }

  execute({ script, keys, arguments: args }: CallRequest, bySource: boolean): Promise<unknown> {
    return this.#run({ script, keys, args }, bySource ? 'source' : 'sha');
  }

  forget(linked: Call): void {
    this.#checks -= linked.groups;
    if (this.#underWay[0] === linked) this.#underWay.shift();
    else this.#underWay.splice(this.#underWay.indexOf(linked), 1);
    this.onSettled(linked.groups);
  }

  /** The server is there, and can be asked what it is like. */
  answered(): void {
    if (this.#known) return;
    this.#known = true;
    void warnOfEviction(this.#client);
  }

  /** Why nothing is sent. */
  notReady(primary: Endpoint): StoreError {
    const { trouble } = this.#client;
    if (trouble === undefined) return unavailable(`the client is not ready, its status is ${primary.status}`);
    const cause = redactCommand(trouble);
    if (classifyError(cause) === 'configuration') this.refused(cause);
    return unavailable(cause.message, cause);
  }

  /** Tells of what is not going to work until somebody changes something, and not at every call. */
  refused({ message }: Error): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(message) ?? -Infinity) < TOLD_FOR) return;
    this.#toldAt.set(message, now);
    warn(
      'SLUICE_REDIS_REFUSES',
      `redisStore: Redis refuses what it is asked, until its configuration or yours is changed: ${message}`,
    );
    if (channels.configFault.hasSubscribers) channels.configFault.publish({ problem: message });
  }

  #begin(linked: Call): Call {
    this.#checks += linked.groups;
    this.#underWay.push(linked);
    this.deadline.watch(linked);
    return linked;
  }

  #probe(key: string, primary: Endpoint, now: number): void {
    primary.breaker.probe();
    this.#begin(new Call(this, canary(key, now), primary, true)).go();
  }
}

function unavailable(why: string, cause?: Error): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `Redis cannot be reached: ${why}`, cause && { cause });
}

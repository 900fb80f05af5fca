import { channels } from '../../../events/channels.js';
import { StoreError } from '../../../model/errors.js';
import type { LateReplyEvent, StoreCallEvent } from '../../../events/events.js';
import type { Deadline, Expiring } from './deadline.js';
import { classifyError } from './fault.js';
import type { Endpoint, Waiting } from './endpoint.js';
import type { Script } from '../lua/script.js';
import { toStoreError, redactCommand } from './redis-error.js';

/** A script to be run, and who is told what came of it. */
export interface CallRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly arguments: readonly (string | number)[];
  /** Requests whose checks travel in it; 0 where none does. */
  readonly groups: number;
  /** When it was asked for, in milliseconds of `performance.now()`. */
  readonly asked: number;
  answer(reply: unknown): void;
  fail(error: StoreError): void;
}

/** An event that is being written: those who measure hear of each call, and copies of it take as long as two checks. */
type Told<Event> = { -readonly [Name in keyof Event]: Event[Name] };

/** What a call goes by. */
interface Link {
  readonly deadline: Deadline;
  execute(call: CallRequest, bySource: boolean): Promise<unknown>;
  forget(linked: Call): void;
  answered(): void;
  notReady(primary: Endpoint): StoreError;
  refused(error: Error): void;
}

/** A call on its way. It is settled once: by its answer, by its failure, or by the deadline. */
export class Call implements Expiring, Waiting {
  readonly due: number;
  readonly primary: Endpoint;
  readonly #link: Link;
  readonly #call: CallRequest;
  readonly #isProbe: boolean;
  #settled = false;
  #sent = false;
  #end: Promise<void> | undefined;
  #ended: (() => void) | undefined;

  constructor(link: Link, call: CallRequest, primary: Endpoint, isProbe = false) {
    this.#link = link;
    this.#call = call;
    this.primary = primary;
    this.#isProbe = isProbe;
    this.due = call.asked + link.deadline.milliseconds;
  }

  /** Requests whose checks travel in it. */
  get groups(): number {
    return this.#call.groups;
  }

  get settled(): boolean {
    return this.#settled;
  }

  go(): void {
    if (!this.#settled) this.#execute(false);
  }

  giveUp(): void {
    if (this.#settled) return;
    this.#settle();
    this.#link.deadline.settle();
    this.#call.fail(this.#link.notReady(this.primary));
  }

  expire(): void {
    const problem = `${this.#sent ? 'no reply' : 'no connection'} within ${this.#link.deadline.milliseconds} ms`;
    if (this.#sent) {
      this.primary.breaker.fail(performance.now(), problem, this.#isProbe);
      this.primary.missed(this.#call.asked);
    } else this.primary.stopWaiting();
    this.#settle(this.#sent ? 'late' : undefined, problem);
    this.#call.fail(new StoreError('STORE_UNAVAILABLE', `Redis could not answer: ${problem}`));
  }

  /** Resolves when it is settled. */
  end(): Promise<void> {
    this.#end ??= new Promise((resolve) => (this.#ended = resolve));
    return this.#end;
  }

  #execute(bySource: boolean): void {
    this.#sent = true;
    const fail = (reason: unknown) => this.#failed(reason, bySource);
    try {
      this.#link.execute(this.#call, bySource).then((reply) => this.#answered(reply), fail);
    } catch (error) {
      // A client that is none of ioredis.
      fail(error);
    }
  }

  #answered(reply: unknown): void {
    this.primary.replied();
    if (this.#settled) {
      this.#late();
      return;
    }
    this.primary.breaker.succeed(performance.now(), this.#isProbe);
    this.#settle('answered');
    this.#link.deadline.settle();
    this.#link.answered();
    try {
      this.#call.answer(reply);
    } catch (error) {
      // A client that changes replies, perhaps.
      this.#call.fail(toStoreError(error));
    }
  }

  #failed(reason: unknown, bySource: boolean): void {
    const error = redactCommand(reason);
    if (error.name === 'ReplyError') this.primary.replied();
    if (this.#settled) {
      if (error.name === 'ReplyError') this.#late();
      return;
    }
    // A server that was restarted, flushed or failed over to has no scripts. Nothing ran, so this cannot count twice.
    if (!bySource && error.message.startsWith('NOSCRIPT') && performance.now() < this.due) {
      this.#execute(true);
      return;
    }
    const fault = classifyError(error);
    if (fault === 'infrastructure') this.primary.breaker.fail(performance.now(), error.message, this.#isProbe);
    // Whatever else is wrong, the server is there.
    else if (this.#isProbe) this.primary.breaker.succeed(performance.now(), true);
    if (fault === 'configuration') this.#link.refused(error);
    this.#settle('failed', error.message);
    this.#link.deadline.settle();
    this.#call.fail(toStoreError(error));
  }

  #settle(outcome?: 'answered' | 'failed' | 'late', problem?: string): void {
    this.#settled = true;
    this.#link.forget(this);
    this.#ended?.();
    if (outcome === undefined || !channels.storeCall.hasSubscribers) return;
    const told: Told<StoreCallEvent> = { duration: this.#duration, groups: this.#call.groups, outcome };
    if (problem !== undefined) told.problem = problem;
    channels.storeCall.publish(this.#named(told));
  }

  #late(): void {
    if (!channels.lateReply.hasSubscribers) return;
    channels.lateReply.publish(this.#named<LateReplyEvent>({ duration: this.#duration, groups: this.#call.groups }));
  }

  get #duration(): number {
    return performance.now() - this.#call.asked;
  }

  #named<Event extends { readonly primary?: string }>(told: Told<Event>): Event {
    const { name } = this.primary;
    if (name !== undefined) told.primary = name;
    return told;
  }
}

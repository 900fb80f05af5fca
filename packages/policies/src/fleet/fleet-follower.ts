import { FleetMemory } from './fleet-memory.js';
import { isLaterText, type KnownText, type News } from './fleet-news.js';
import type { FleetOverride, ProcessFacts } from './fleet-state.js';
import type { Entry } from './override-entry.js';
import type { RedisPolicies } from './redis-policies.js';

/** Milliseconds from the start of a reading to that of the next: all processes have what is new within six seconds. */
const LEAST_PAUSE_MS = 4_000;
const MOST_PAUSE_MS = 5_500;
/** Readings that follow each other, where others write back at the same time. */
const MAX_READINGS = 5;

interface Follower {
  /** What this process says of itself. Undefined: nothing. */
  readonly facts: () => ProcessFacts | undefined;
  /** Another text is in Redis. @returns false if this process does not take it */
  readonly onText: (text: KnownText) => boolean;
  /** One that was applied before a text that this process does not take. @returns false if it does not take it either */
  readonly onOlderText: (text: KnownText) => boolean;
  /** The text of Redis that is in force in this process. */
  readonly inForce: () => KnownText | undefined;
  /** @param fields names of overrides that have changed */
  readonly onOverrides: (fields: readonly string[]) => void;
  /** A reading has failed, or what it has read is wrong, or works again. */
  readonly onReading: (news: News | undefined, problem: Error | undefined) => void;
}

/** Follows the policies in Redis. It polls, because messages get lost, and a subscription needs a connection. */
export class FleetFollower {
  readonly #redis: RedisPolicies;
  readonly #follower: Follower;
  readonly #memory = new FleetMemory();
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** By the monotonic clock. */
  #lookedAt = 0;
  /** It does not take the text of Redis. */
  #isBehind = false;
  /** It has to look in the history for the text to take instead. */
  #looksBack = false;
  #isClosed = false;

  constructor(redis: RedisPolicies, follower: Follower) {
    this.#redis = redis;
    this.#follower = follower;
  }

  overrides(): readonly FleetOverride[] {
    return this.#memory.overrides();
  }

  overrideOf(field: string): FleetOverride | undefined {
    return this.#memory.overrideOf(field);
  }

  /** The last change that this process has. */
  get changes(): number {
    return this.#memory.changes;
  }

  /** Redis has taken a change of this process. */
  note(entry: Entry): void {
    this.#memory.note(entry);
    this.#follower.onOverrides([entry.field]);
  }

  /** Reads once, and then again and again. */
  async start(): Promise<void> {
    await this.look().catch(() => undefined);
    this.#wait();
  }

  /** Reads now. Rejects with a StoreError while Redis is away */
  look(): Promise<void> {
    const looked = this.#turn.then(() => this.#look());
    this.#turn = looked.catch(() => undefined);
    return looked;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#isClosed) return;
    // Processes that were started together do not read together.
    const pause = LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS);
    const spent = performance.now() - this.#lookedAt;
    const look = () => this.look().catch(() => undefined);
    this.#timer = setTimeout(() => void look().then(() => this.#wait()), Math.max(0, pause - spent)).unref();
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    let news: News;
    try {
      // What others write back meanwhile is read too.
      for (let reading = 1; ; reading += 1) {
        const own = this.#memory.own;
        news = await this.#redis.follow(this.#memory, this.#follower.facts());
        if (this.#isClosed) return;
        const isDone = await this.#take(news, own);
        if (isDone || reading === MAX_READINGS) break;
      }
    } catch (error) {
      this.#follower.onReading(undefined, error as Error);
      throw error;
    }
    this.#follower.onReading(news, undefined);
  }

  /** @returns true if the fleet knows that this process has what Redis has */
  async #take(news: News, own: readonly Entry[]): Promise<boolean> {
    const { fields, text, restoration } = this.#memory.take(news, own);
    // Overrides first: they may be of tiers that the text brings, and those wait for it.
    if (fields.length > 0) this.#follower.onOverrides(fields);
    // A text that this process does not take stays in Redis: another release of the code may take it.
    if (text !== undefined) this.#isBehind = !this.#follower.onText(text);
    // What a process writes back makes all others read all.
    if (text !== undefined || hasAll(news)) this.#looksBack = this.#isBehind;
    const older = this.#looksBack ? await this.#lookBack() : undefined;
    const lost = restoration ?? (older && this.#memory.restorationOf(news, older));
    if (lost !== undefined) {
      await this.#redis.restore(lost);
      return false;
    }
    this.#looksBack = false;
    const isRead = this.#memory.position !== undefined || news.head === '';
    return isRead && text === undefined && fields.length === 0;
  }

  /**
   * Takes the newest version that this process understands, as all processes of its release do.
   *
   * @returns the one that is in force here, if the history lacks it
   */
  async #lookBack(): Promise<KnownText | undefined> {
    const { onOlderText, inForce } = this.#follower;
    const newest = this.#memory.text!;
    const history = await this.#redis.history();
    const before = inForce();
    for (const each of history) {
      if (before !== undefined && !isLaterText(each, before)) break;
      const source = isLaterText(newest, each) ? await this.#redis.text(each) : undefined;
      if (source !== undefined && onOlderText({ ...each, text: source })) break;
    }
    const own = inForce();
    const isKnown = history.some(
      ({ version, at, sha }) => version === own?.version && at === own.at && sha === own.sha,
    );
    return isKnown ? undefined : own;
  }
}

function hasAll({ overrides }: News): boolean {
  return overrides !== undefined && 'all' in overrides;
}

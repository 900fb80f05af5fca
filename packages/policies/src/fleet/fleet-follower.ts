import type { Override } from '@sluice/core/overrides';
import type { FleetState, ProcessFacts } from './fleet-state.js';
import type { RedisPolicies } from './redis-policies.js';

/** Milliseconds from the start of a reading to that of the next: all processes have what is new within six seconds. */
const LEAST_PAUSE_MS = 4_000;
const MOST_PAUSE_MS = 5_500;

const NOTHING: FleetState = { now: 0, version: 0, sha: '', text: undefined, changes: 0, overrides: [] };

interface Follower {
  /** What this process says of itself. Undefined: nothing. */
  readonly facts: () => ProcessFacts | undefined;
  /** Another text is in Redis. */
  readonly onText: (state: FleetState) => void;
  readonly onOverrides: (overrides: readonly Override[]) => void;
  /** A reading has failed, or works again. */
  readonly onReading: (problem: Error | undefined) => void;
}

/** Follows the policies in Redis. It polls, because messages get lost, and a subscription needs a connection. */
export class FleetFollower {
  readonly #redis: RedisPolicies;
  readonly #follower: Follower;
  /** All that this process knows. */
  #state = NOTHING;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** By the monotonic clock. */
  #lookedAt = 0;
  #isClosed = false;

  constructor(redis: RedisPolicies, follower: Follower) {
    this.#redis = redis;
    this.#follower = follower;
  }

  get overrides(): readonly Override[] {
    return this.#state.overrides ?? [];
  }

  /** The version of the overrides that this process has. */
  get changes(): number {
    return this.#state.changes;
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
    try {
      const news = await this.#redis.read(this.#state, this.#follower.facts());
      const hasLost = news.version < this.#state.version || news.changes < this.#state.changes;
      // The next reading has what the others have written since.
      if (hasLost) await this.#redis.restore(this.#state);
      else if (!this.#isClosed) this.#take(news);
      // The fleet hears at once that this process has what is new, or why not.
      if ((news.text ?? news.overrides) && !hasLost) await this.#redis.read(this.#state, this.#follower.facts());
    } catch (error) {
      this.#follower.onReading(error as Error);
      throw error;
    }
    this.#follower.onReading(undefined);
  }

  #take(news: FleetState): void {
    const { text = this.#state.text, overrides = this.#state.overrides } = news;
    this.#state = { ...news, text, overrides };
    // Overrides first: they may be of tiers that the text brings, and those wait for it.
    if (news.overrides) this.#follower.onOverrides(news.overrides);
    if (news.text && news.version > 0) this.#follower.onText(news);
  }
}

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ConfigError, Limiter } from '@sluice/core';
import { warn, type SharedLimiterOptions } from '@sluice/http/adapter';
import { channels } from '@sluice/metrics/operations';
import type { PolicyDocument } from './document/read-document.js';
import type { WatchedFile } from './file/watched-file.js';
import { FleetFollower } from './fleet/fleet-follower.js';
import type { KnownText, News } from './fleet/fleet-news.js';
import { MAX_OVERRIDES } from './fleet/redis-overrides.js';
import type { RedisPolicies } from './fleet/redis-policies.js';
import { LiveLimiters } from './live-limiters.js';
import { FleetOverrides, LocalOverrides } from './override-door.js';
import type { Policies, PoliciesStatus, PolicyOverrides } from './policies.js';
import { Problems } from './problems.js';

/** Milliseconds between two looks at the file. */
const INTERVAL_MS = 2_000;
/** A command of `sluice` sets it: it reads policies, and is not a process of the fleet. */
const COMMAND = Symbol.for('sluice.command.1');
/** What the others read of a problem. */
const MAX_PROBLEM = 200;

interface LivePoliciesContext<S> {
  readonly watched: Pick<WatchedFile, 'path' | 'readChange'>;
  /** @throws ConfigError */
  readonly read: (name: string, text: string) => PolicyDocument<S>;
  readonly document: PolicyDocument<S>;
  /** Why the fallback is in force. */
  readonly problem?: ConfigError;
  readonly fleet: RedisPolicies | undefined;
  readonly secret?: string;
  /** Of a process that decides no request: its limiters are those of the document. */
  readonly limiterOptions?: ((name: string) => SharedLimiterOptions<S>) | undefined;
}

/** The policies of `openPolicies`. The interface `Policies` documents its methods. */
export class LivePolicies<S> implements Policies<S> {
  readonly #context: LivePoliciesContext<S>;
  readonly #limiters: LiveLimiters<S>;
  readonly #id = randomUUID();
  #source: PoliciesStatus['source'];
  #version: number | undefined;
  #since = Date.now();
  #checkedAt = Date.now();
  readonly #problems = new Problems();
  readonly #follower: FleetFollower | undefined;
  /** The text of Redis in force. */
  #inForce: KnownText | undefined;
  readonly overrides: PolicyOverrides;
  /** Readings of the file follow each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(context: LivePoliciesContext<S>) {
    const { document, problem, fleet } = context;
    this.#context = context;
    const local = new LocalOverrides(() => this.#limiters);
    if (fleet !== undefined) this.#follower = this.#followerOf(fleet);
    this.#limiters = new LiveLimiters(document, {
      source: this.#follower ?? local,
      secret: context.secret,
      losesLimiters: context.limiterOptions !== undefined,
    });
    this.overrides =
      this.#follower === undefined
        ? local
        : new FleetOverrides({
            redis: fleet!,
            check: (options) => this.#limiters.check(options),
            list: () => this.#limiters.overrides(),
            follower: this.#follower,
          });
    this.#source = problem === undefined ? 'file' : 'fallback';
    if (problem !== undefined) this.#problems.report('file', problem);
    this.#tell();
    this.#wait();
  }

  #followerOf(fleet: RedisPolicies): FleetFollower {
    return new FleetFollower(fleet, {
      facts: () => (COMMAND in globalThis || this.#context.limiterOptions !== undefined ? undefined : this.#facts()),
      onText: (text) => this.#takeText(text),
      onOlderText: (text) => this.#takeOlderText(text),
      inForce: () => this.#inForce,
      onOverrides: (fields) => {
        this.#limiters.changeOverrides(fields);
        this.#tellOverrides();
      },
      onReading: (news, error) => this.#hear(news, error),
    });
  }

  /** Reads Redis once. */
  async start(): Promise<this> {
    await this.#follower?.start();
    this.#createMissing();
    return this;
  }

  limiter(name: string, options: SharedLimiterOptions<S> = {}): Limiter<S> {
    const limiter = this.#limiters.create(name, options);
    this.#tellOverrides();
    return limiter;
  }

  async refresh(): Promise<void> {
    const looked = this.#turn.then(() => this.#look());
    this.#turn = looked.catch(() => undefined);
    await Promise.all([looked, this.#follower?.look()]);
  }

  status(): PoliciesStatus {
    return {
      source: this.#source,
      version: this.#version,
      sha: this.#limiters.document.source.sha,
      since: this.#since,
      checkedAt: this.#checkedAt,
      rejected: this.#problems.count,
      problem: this.#problems.current,
      overrides: this.#limiters.overrideCount,
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#follower?.close();
  }

  #wait(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.#turn.then(() => this.#look().catch(() => undefined));
      void this.#turn.then(() => this.#wait());
    }, INTERVAL_MS).unref();
  }

  /** Reads the file. Its text counts until one is in Redis. */
  async #look(): Promise<void> {
    let text: string | undefined;
    const { watched, read, fleet } = this.#context;
    try {
      text = await watched.readChange();
      this.#problems.end('file-away');
    } catch (error) {
      this.#problems.report('file-away', error as Error);
      throw error;
    }
    if (this.#source === 'redis' || this.#isClosed) return;
    if (fleet === undefined) this.#checkedAt = Date.now();
    if (text === undefined) return this.#problems.repeat('file');
    try {
      this.#accept(read(watched.path, text), 'file');
      this.#problems.end('file');
    } catch (error) {
      this.#problems.report('file', error as Error);
      throw error;
    }
  }

  #takeText(text: KnownText): boolean {
    try {
      this.#accept(this.#read(text), 'redis', text.version);
    } catch (error) {
      this.#problems.report('redis', error as Error, text.version);
      return false;
    }
    this.#inForce = text;
    this.#problems.end('redis');
    this.#problems.end('file');
    return true;
  }

  /** Why it does not take the newest text stays its problem. */
  #takeOlderText(text: KnownText): boolean {
    try {
      this.#accept(this.#read(text), 'redis', text.version);
      this.#inForce = text;
      return true;
    } catch {
      return false;
    }
  }

  /** @throws ConfigError */
  #read({ version, text }: KnownText): PolicyDocument<S> {
    const { fleet, read } = this.#context;
    return read(`${fleet!.name} v${version}`, text);
  }

  #createMissing(): void {
    const { limiterOptions } = this.#context;
    if (limiterOptions === undefined) return;
    for (const name of this.#limiters.missing) this.#limiters.create(name, limiterOptions(name));
  }

  #tellOverrides(): void {
    const [problem] = this.#limiters.problems;
    if (problem === undefined) this.#problems.end('overrides');
    else this.#problems.report('overrides', new Error(problem));
  }

  #hear(news: News | undefined, error: Error | undefined): void {
    if (error !== undefined) {
      this.#problems.report('redis-away', error);
      return;
    }
    this.#checkedAt = Date.now();
    this.#problems.end('redis-away');
    const wrong = wrongIn(news!);
    if (wrong === undefined) this.#problems.end('redis-wrong');
    else this.#problems.report('redis-wrong', new Error(wrong));
  }

  #accept(document: PolicyDocument<S>, source: PoliciesStatus['source'], version?: number): void {
    this.#limiters.replace(document);
    this.#createMissing();
    this.#tellOverrides();
    this.#source = source;
    this.#version = version;
    this.#since = Date.now();
    this.#tell();
  }

  #tell(): void {
    const { source, doubts } = this.#limiters.document;
    for (const doubt of doubts) warn('SLUICE_POLICIES_DOUBTFUL', doubt, doubt);
    if (!channels.policies.hasSubscribers) return;
    const version = this.#version === undefined ? {} : { version: this.#version };
    channels.policies.publish({ state: 'applied', source: this.#source, sha: source.sha, ...version });
  }

  #facts() {
    const problem = this.#problems.current?.slice(0, MAX_PROBLEM);
    return {
      id: this.#id,
      host: hostname(),
      pid: process.pid,
      version: this.#version ?? 0,
      sha: this.#limiters.document.source.sha,
      overrides: this.#limiters.overrideCount,
      changes: this.#follower?.changes ?? 0,
      ...(problem !== undefined && { problem }),
    };
  }
}

/** What is wrong with what Redis has. */
function wrongIn({ damage, count }: News): string | undefined {
  if (damage !== undefined || count <= MAX_OVERRIDES) return damage;
  return `Redis has ${count} overrides, and at most ${MAX_OVERRIDES} are read: remove those that ended`;
}

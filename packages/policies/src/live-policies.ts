import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ConfigError, Key, Limiter } from '@sluice/core';
import type { Override } from '@sluice/core/overrides';
import { warn, type SharedLimiterOptions } from '@sluice/core/adapter';
import { channels } from '@sluice/core/operations';
import type { PolicyDocument } from './document/read-document.js';
import type { WatchedFile } from './file/watched-file.js';
import { FleetFollower } from './fleet/fleet-follower.js';
import type { FleetState } from './fleet/fleet-state.js';
import { fieldOf } from './fleet/override-field.js';
import type { RedisPolicies } from './fleet/redis-policies.js';
import { LiveLimiters } from './live-limiters.js';
import type { OverrideValue, Policies, PoliciesStatus } from './policies.js';
import { Problems } from './problems.js';

/** Milliseconds between two looks at the file. */
const INTERVAL_MS = 2_000;
/** An override that has ended makes room a day later: the clock of Redis may be behind that of this process. */
const DAY_MS = 8.64e7;
/** A command of `sluice` sets it: it reads policies, and is not a process of the fleet. */
const COMMAND = Symbol.for('sluice.command.1');
/** What the others read of a problem. */
const MAX_PROBLEM = 200;

interface LivePoliciesContext<S> {
  readonly watched: WatchedFile;
  /** @throws ConfigError */
  readonly read: (name: string, text: string) => PolicyDocument<S>;
  readonly document: PolicyDocument<S>;
  /** Why the fallback is in force. */
  readonly problem?: ConfigError;
  readonly fleet: RedisPolicies | undefined;
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
  /** Those of this process alone, without a fleet. */
  #overrides: readonly Override[] = [];
  readonly #follower: FleetFollower | undefined;
  /** Readings of the file follow each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(context: LivePoliciesContext<S>) {
    const { document, problem, fleet } = context;
    this.#context = context;
    this.#limiters = new LiveLimiters(document);
    this.#source = problem === undefined ? 'file' : 'fallback';
    if (problem !== undefined) this.#problems.report('file', problem);
    this.#tell();
    if (fleet !== undefined) {
      this.#follower = new FleetFollower(fleet, {
        facts: () => (COMMAND in globalThis ? undefined : this.#facts()),
        onText: (state) => this.#takeText(state),
        onOverrides: (overrides) => this.#takeOverrides(overrides),
        onReading: (error) => this.#hear(error),
      });
    }
    this.#wait();
  }

  /** Reads Redis once. */
  async start(): Promise<this> {
    await this.#follower?.start();
    return this;
  }

  limiter(name: string, options: SharedLimiterOptions<S> = {}): Limiter<S> {
    return this.#limiters.create(name, options);
  }

  async override(tier: string, identity: Key, value: OverrideValue): Promise<Override> {
    const override = this.#limiters.check({ ...value, tier, identity });
    const { fleet } = this.#context;
    if (fleet === undefined) {
      const others = this.#overrides.filter((each) => fieldOf(each) !== fieldOf(override));
      this.#takeOverrides([...others, override]);
    } else {
      const before = Date.now() - DAY_MS;
      const ended = this.#follower!.overrides.filter(({ until = Infinity }) => until < before);
      await fleet.override(override, ended);
      await this.#follower!.look();
    }
    return override;
  }

  async removeOverride(tier: string, identity: Key, partition?: Key): Promise<boolean> {
    const owner = this.#limiters.check({ tier, identity, partition, limit: null, reason: 'removed' });
    const { fleet } = this.#context;
    if (fleet === undefined) {
      const others = this.#overrides.filter((each) => fieldOf(each) !== fieldOf(owner));
      const isFound = others.length < this.#overrides.length;
      this.#takeOverrides(others);
      return isFound;
    }
    const isFound = await fleet.removeOverride(owner);
    await this.#follower!.look();
    return isFound;
  }

  overrides(): readonly Override[] {
    return this.#limiters.overrides();
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
      overrides: this.#limiters.overrides().length,
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

  /** A text that this process does not take stays in Redis: another version of the code may take it. */
  #takeText({ text, version }: FleetState): void {
    const { fleet, read } = this.#context;
    try {
      this.#accept(read(`${fleet!.name} v${version}`, text!.text), 'redis', version);
      this.#problems.end('redis');
      this.#problems.end('file');
    } catch (error) {
      this.#problems.report('redis', error as Error, version);
    }
  }

  #takeOverrides(overrides: readonly Override[]): void {
    this.#overrides = overrides;
    const [problem] = this.#limiters.setOverrides(overrides);
    if (problem === undefined) this.#problems.end('overrides');
    else this.#problems.report('overrides', new Error(problem));
  }

  #hear(error: Error | undefined): void {
    if (error === undefined) {
      this.#checkedAt = Date.now();
      this.#problems.end('redis-away');
    } else this.#problems.report('redis-away', error);
  }

  #accept(document: PolicyDocument<S>, source: PoliciesStatus['source'], version?: number): void {
    this.#limiters.replace(document);
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
      overrides: this.#limiters.overrides().length,
      changes: this.#follower?.changes ?? 0,
      ...(problem !== undefined && { problem }),
    };
  }
}

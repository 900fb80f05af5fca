import type { Override, OverrideOptions } from './overrides/index.js';
import { isOver } from './overrides/in-force.js';
import { fieldOf, type Entry } from './fleet/override-entry.js';
import type { OverrideChange } from './fleet/redis-overrides.js';
import type { FleetFollower } from './fleet/fleet-follower.js';
import type { FleetOverride } from './fleet/fleet-state.js';
import type { RedisPolicies } from './fleet/redis-policies.js';
import type { LiveLimiters } from './live-limiters.js';
import type { OverrideSource } from './override-source.js';
import type { NewAct } from './audit/act.js';
import { newId, readAuthor } from './audit/reset-client.js';
import type { ActOptions, OverrideChoice, PolicyOverrides, RemovalOptions } from './policies.js';

/** An override that has ended makes room a day later: the clock of Redis may be behind that of this process. */
const DAY_MS = 8.64e7;

interface FleetContext {
  readonly redis: RedisPolicies;
  /** An override as Redis has it. @throws ConfigError, UsageError */
  readonly check: (options: OverrideOptions) => FleetOverride;
  readonly list: () => readonly Override[];
  /** Undefined in a tool, which follows nothing. */
  readonly follower?: FleetFollower;
}

/** Overrides in all processes: `policies.overrides` and the commands of `sluice`. */
export class FleetOverrides implements PolicyOverrides {
  readonly isAudited = true;
  readonly #context: FleetContext;

  constructor(context: FleetContext) {
    this.#context = context;
  }

  /** Of the policies in Redis. */
  get name(): string {
    return this.#context.redis.name;
  }

  async set(options: OverrideOptions, about: ActOptions = {}): Promise<FleetOverride> {
    const { redis, check, follower } = this.#context;
    const override = check(options);
    const before = Date.now() - DAY_MS;
    const ended = follower?.overrides().filter(({ until = Infinity }) => until < before);
    const { by, reason, limit, until } = override;
    const detail = { limit, ...(until !== undefined && { until }), ...about.asked };
    const act = actOn(override, { ...about, by }, { operation: 'override', reason, detail });
    const { entry, act: done } = await redis.overrides.set(override, { ended, act, ...this.#guard(override, about) });
    if (entry !== undefined) await this.#note(entry);
    return entry?.override ?? { ...override, at: done!.at };
  }

  async remove(choice: OverrideChoice, about: RemovalOptions = {}): Promise<boolean> {
    const { redis, check } = this.#context;
    const { by, reason = 'removed' } = about;
    const owner = check({ ...choice, limit: null, reason, by });
    const act = actOn(owner, about, { operation: 'end-override', reason });
    const { entry, isFound } = await redis.overrides.remove(owner, { act, ...this.#guard(owner, about) });
    if (entry !== undefined) await this.#note(entry);
    return isFound;
  }

  /** What is in force: Redis has it, else the file. */
  #guard(owner: FleetOverride, { replacing }: ActOptions): Pick<OverrideChange, 'replacing'> {
    if (replacing === undefined) return {};
    const { follower, list } = this.#context;
    const field = fieldOf(owner);
    const ofFile =
      follower?.overrideOf(field) === undefined ? list().find((each) => fieldOf(each) === field) : undefined;
    return { replacing: (held) => replacing(held === undefined || isOver(held) ? ofFile : held) };
  }

  list(): readonly Override[] {
    return this.#context.list();
  }

  /** Redis has the change, and so has this process: what else is new can wait. */
  async #note(entry: Entry): Promise<void> {
    const { follower } = this.#context;
    follower?.note(entry);
    await follower?.look().catch(() => undefined);
  }
}

/** Undefined for a program: what has neither an author nor an id is no act. @throws ConfigError */
function actOn(
  { tier, digest, partition }: FleetOverride,
  { id, by, operation }: RemovalOptions,
  done: Pick<NewAct, 'operation' | 'reason' | 'detail'>,
): NewAct | undefined {
  if (by === undefined && id === undefined) return undefined;
  const { id: checked = newId() } = readAuthor('override', { id });
  return {
    ...done,
    id: checked,
    operation: operation ?? done.operation,
    ...(by !== undefined && { by }),
    tiers: [{ tier, digest }],
    ...(partition && { partition }),
  };
}

/** Overrides in this process alone, for `policies.overrides`. */
export class LocalOverrides implements PolicyOverrides, OverrideSource {
  readonly isAudited = false;
  readonly #limiters: () => LiveLimiters<never>;
  readonly #overrides = new Map<string, FleetOverride>();

  /** @param limiters which read this source */
  constructor(limiters: () => LiveLimiters<never>) {
    this.#limiters = limiters;
  }

  // oxlint-disable-next-line typescript/require-await -- what is wrong rejects
  async set(options: OverrideOptions, { replacing }: ActOptions = {}): Promise<Override> {
    const override = { ...this.#limiters().check(options), at: Date.now() };
    const field = fieldOf(override);
    replacing?.(this.#inForce(field));
    this.#overrides.delete(field);
    this.#overrides.set(field, override);
    this.#limiters().changeOverrides([field]);
    return override;
  }

  // oxlint-disable-next-line typescript/require-await -- what is wrong rejects
  async remove(choice: OverrideChoice, { replacing }: RemovalOptions = {}): Promise<boolean> {
    const field = fieldOf(this.#limiters().check({ ...choice, limit: null, reason: 'removed' }));
    replacing?.(this.#inForce(field));
    const isFound = this.#overrides.delete(field);
    if (isFound) this.#limiters().changeOverrides([field]);
    return isFound;
  }

  list(): readonly Override[] {
    return this.#limiters().overrides();
  }

  #inForce(field: string): Override | undefined {
    return this.list().find((each) => fieldOf(each) === field);
  }

  overrides(): readonly FleetOverride[] {
    return [...this.#overrides.values()];
  }

  overrideOf(field: string): FleetOverride | undefined {
    return this.#overrides.get(field);
  }
}

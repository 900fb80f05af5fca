import { UsageError, type Store } from '@sluice/core';
import type { Override } from '@sluice/core/overrides';
import { OptionReader } from '@sluice/core/adapter';
import { SourceText } from '../document/source-text.js';
import { fieldOf, fieldText, overrideIn } from './override-field.js';
import { ScriptClient } from './script-client.js';
import { applyScript, historyScript, overrideScript, processesScript, readScript, restoreScript } from './scripts.js';
import type { Applied, Conflict, FleetProcess, FleetState, ProcessFacts, Proposal, Version } from './fleet-state.js';

export interface RedisPoliciesOptions {
  /**
   * Names the policies in Redis: 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`.
   *
   * @default 'limits'
   */
  name?: string;
}

/** In one slot of a Cluster, and of no prefix: a tool that knew another one would speak to no process. */
const KEY = 'rl:{~policies}';
const MAX_OVERRIDES = 10_000;
/** Milliseconds after which a process that was not heard has ended. */
const SILENCE_MS = 15_000;

/** What a process has of the state in Redis. */
export type Known = Pick<FleetState, 'version' | 'sha' | 'changes'>;

/** Policies and overrides in Redis, for all processes. */
export class RedisPolicies {
  readonly name: string;
  readonly #client: ScriptClient;
  readonly #key: string;

  /** @throws ConfigError */
  constructor(store: Store, options: RedisPoliciesOptions) {
    const reader = new OptionReader('redisPolicies', Object(options) as object, ['name']);
    const { name = 'limits' } = options;
    if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
      throw reader.fail('OPTION_INVALID', 'name', 'must be 1 to 64 of a-z, A-Z, 0-9, _, - and .');
    }
    this.name = name;
    this.#client = new ScriptClient('redisPolicies', store);
    this.#key = `${KEY}:${name}`;
  }

  /** What is new, and a sign of life of a process. Rejects with a StoreError while Redis is away. */
  async read(known?: Known, process?: ProcessFacts): Promise<FleetState> {
    const { version = -1, sha = '', changes = -1 } = known ?? {};
    const { id = '', ...facts } = process ?? {};
    const reply = await this.#client.run(
      readScript,
      [this.#key, this.#overrides, this.#processes],
      [version, sha, changes, id, JSON.stringify(facts)],
    );
    const [now, nextVersion, nextSha, text, nextChanges, overrides] = reply as ReadReply;
    return {
      now: Number(now),
      version: Number(nextVersion),
      sha: nextSha,
      text: text ? { text: text[0] ?? '', by: text[1] ?? '', at: Number(text[2]), reason: text[3] ?? '' } : undefined,
      changes: Number(nextChanges),
      overrides: overrides ? pairsOf(overrides).flatMap(([field, value]) => overrideIn(field, value) ?? []) : undefined,
    };
  }

  /** Puts a text in force in all processes that take it. A conflict: another version is in force than the author knows. */
  async apply({ text, expected, by, reason }: Proposal): Promise<Applied | Conflict> {
    const { sha } = new SourceText(this.name, text);
    const meta = JSON.stringify({ by, reason });
    const args = [expected, sha, text, by, reason, meta];
    const reply = await this.#client.run(applyScript, [this.#key, this.#history], args);
    const [version, current, author, why] = reply as readonly (string | null)[];
    if (version) return { version: Number(version), sha };
    return { conflict: Number(current), by: author ?? '', reason: why ?? '' };
  }

  /** The last 50 versions, newest first. */
  async history(): Promise<readonly Version[]> {
    const [, heads] = (await this.#client.run(historyScript, [this.#history], [''])) as HistoryReply;
    return heads.map(versionOf);
  }

  /** The text of one of the last 50 versions. */
  async text(version: number): Promise<string | undefined> {
    const [text] = (await this.#client.run(historyScript, [this.#history], [version])) as HistoryReply;
    return text ?? undefined;
  }

  /** @param ended overrides that make room @throws UsageError beyond 10 000 */
  async override(override: Override, ended: readonly Override[] = []): Promise<void> {
    const args = [MAX_OVERRIDES, fieldOf(override), fieldText(override), ...ended.map(fieldOf)];
    const isSet = (await this.#client.run(overrideScript, [this.#key, this.#overrides], args)) === 1;
    if (!isSet) throw new UsageError('USAGE_INVALID', `override: there are at most ${MAX_OVERRIDES}: remove one first`);
  }

  /** @returns false without one */
  async removeOverride(owner: Pick<Override, 'tier' | 'digest' | 'partition'>): Promise<boolean> {
    const args = [MAX_OVERRIDES, fieldOf(owner), ''];
    return (await this.#client.run(overrideScript, [this.#key, this.#overrides], args)) === 1;
  }

  /** Writes back what Redis has lost. */
  async restore({ version, sha, text, changes, overrides = [] }: FleetState): Promise<void> {
    const { by = '', at = 0, reason = '' } = text ?? {};
    const own = overrides.flatMap((each) => [fieldOf(each), fieldText(each)]);
    const args = [version, sha, text?.text ?? '', by, at, reason, changes, ...own];
    await this.#client.run(restoreScript, [this.#key, this.#overrides], args);
  }

  /** The processes that have read the policies within 15 seconds. */
  async processes(): Promise<readonly FleetProcess[]> {
    const reply = await this.#client.run(processesScript, [this.#processes], [SILENCE_MS]);
    const [now, entries] = reply as readonly [string, readonly string[]];
    return entries.flatMap((entry) => {
      const [, at, facts] = /^(\d+) (.*)$/s.exec(entry) ?? [];
      if (facts === undefined) return [];
      try {
        return [{ ...(JSON.parse(facts) as Omit<ProcessFacts, 'id'>), silent: Number(now) - Number(at) }];
      } catch {
        return [];
      }
    });
  }

  get #history(): string {
    return `${this.#key}:history`;
  }

  get #overrides(): string {
    return `${this.#key}:overrides`;
  }

  get #processes(): string {
    return `${this.#key}:processes`;
  }
}

type ReadReply = readonly [
  now: string,
  version: string,
  sha: string,
  text: readonly (string | null)[] | null,
  changes: string,
  overrides: readonly string[] | null,
];
type HistoryReply = readonly [text: string | null, heads: readonly string[]];

/**
 * Policies in Redis for `openPolicies`, which all processes read every four to 5.5 seconds: `sluice policies apply` changes them.
 *
 * @param store a `redisStore`, whose client is used
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const policies = await openPolicies('limits.yaml', { fleet: redisPolicies(store) });
 */
export function redisPolicies(store: Store, options: RedisPoliciesOptions = {}): RedisPolicies {
  return new RedisPolicies(store, options);
}

function pairsOf(texts: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[2 * index]!, texts[2 * index + 1]!]);
}

function versionOf(head: string): Version {
  const [, version, at, sha, meta = '{}'] = /^(\d+) (\d+) (\w+) (.*)$/.exec(head) ?? [];
  const { by, reason } = JSON.parse(meta) as Pick<Version, 'by' | 'reason'>;
  return { version: Number(version), at: Number(at), sha: sha ?? '', by, reason };
}

// fleet/ keeps the policies of many processes in Redis: versions, stages, acknowledgements. A Redis client enters. It
// imports document, overrides, scripts and audit.
import type { Store } from '@sluice/core';
import { type OptionRows, readOptions } from '@sluice/http/adapter';
import { SourceText } from '../document/source-text.js';
import type { Restoration } from './fleet-memory.js';
import { isLaterText, newsOf, timeOf, type KnownText, type News, type Position, type ReadReply } from './fleet-news.js';
import type { Applied, Conflict, FleetProcess, FleetState, ProcessFacts, Proposal, Version } from './fleet-state.js';
import { mark } from './mark.js';
import { MAX_OVERRIDES, RedisOverrides } from './redis-overrides.js';
import { auditLog, type AuditLog } from '../audit/audit-log.js';
import type { Act } from '../audit/act.js';
import type { RedisScript } from '../scripts/redis-script.js';
import { ScriptClient } from '../scripts/script-client.js';
import { applyScript, historyScript, processesScript, readScript, restoreScript } from './scripts.js';

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
/** Milliseconds after which a process that was not heard has ended. */
const SILENCE_MS = 15_000;

/** What a process has read: where it goes on. */
export interface Known {
  /** Undefined: it reads all. */
  readonly position: Position | undefined;
  readonly text: KnownText | undefined;
}

export const FLEET_ROWS = {
  name: { is: /^[\w.-]{1,64}$/, words: '1 to 64 of a-z, A-Z, 0-9, _, - and .' },
} as const satisfies OptionRows;

/** Policies and overrides in Redis, for all processes. */
export class RedisPolicies {
  readonly name: string;
  readonly overrides: RedisOverrides;
  readonly #log: AuditLog;
  readonly #client: ScriptClient;
  readonly #key: string;

  /** @throws ConfigError */
  constructor(store: Store, options: RedisPoliciesOptions) {
    readOptions('redisPolicies', Object(options) as object, FLEET_ROWS);
    const { name = 'limits' } = options;
    this.name = name;
    this.#client = new ScriptClient('redisPolicies', store);
    this.#log = auditLog(store);
    this.#key = `${KEY}:${name}`;
    this.overrides = new RedisOverrides({ client: this.#client, log: this.#log, name, keys: this.#keys });
  }

  /** All that Redis has. Rejects with a StoreError while Redis is away. */
  async read(): Promise<FleetState> {
    const { now, version, text, head, overrides } = await this.follow({ position: undefined, text: undefined });
    const all = overrides !== undefined && 'all' in overrides ? [...overrides.all.values()] : [];
    return {
      now,
      version,
      sha: text?.sha ?? '',
      text,
      changes: head === '' ? 0 : timeOf(head),
      overrides: all.flatMap(({ override }) => override ?? []),
    };
  }

  /** What is new, and a sign of life of a process. Rejects with a StoreError while Redis is away. */
  async follow({ position, text }: Known, process?: ProcessFacts): Promise<News> {
    const { id = '', ...facts } = process ?? {};
    const from = position === undefined ? '' : `${position.epoch} ${position.head}`;
    return this.#read([from, text === undefined ? '' : `${text.version} ${text.sha}`, id, JSON.stringify(facts)]);
  }

  /** When something was changed last: `changes` of the state. */
  async changes(): Promise<number> {
    const { head } = await this.#read(['-', '', '', '']);
    return head === '' ? 0 : timeOf(head);
  }

  /**
   * Puts a text in force in all processes that take it. A repetition of the call that is in force changes nothing. A conflict: another
   * version is in force than the author knows.
   */
  async apply({ text, expected, by, reason }: Proposal): Promise<Applied | Conflict> {
    const { sha } = new SourceText(this.name, text);
    const meta = JSON.stringify({ by, reason });
    const find = async () => {
      const isOurs = (each: Version) =>
        each.version === expected + 1 && each.sha === sha && each.by === by && each.reason === reason;
      const made = (await this.history()).find(isOurs);
      return made && this.#actOf(made);
    };
    const write = () => this.#write(applyScript, [expected, sha, text, by, reason, meta, mark(), mark()]);
    const [version, current, author, why] = (await this.#log.watched(find, write)) as readonly (string | null)[];
    if (!version) return { conflict: Number(current), by: author ?? '', reason: why ?? '' };
    await this.#log.report(this.#actOf({ version: Number(version), at: Number(current), sha, by, reason }));
    return { version: Number(version), sha };
  }

  #actOf({ version, at, sha, by, reason }: Version): Act {
    const id = `${this.name}:v${version}.${sha.slice(0, 8)}`;
    return { id, at, operation: 'apply', by, reason, tiers: [], detail: { policies: this.name, version, sha } };
  }

  /**
   * The last 50 versions, newest first. After a loss of data two of them can have one number, if processes had the first
   * one in force.
   */
  async history(): Promise<readonly Version[]> {
    const [, heads] = (await this.#client.run(historyScript, [this.#keys.history], [''])) as HistoryReply;
    const versions = heads.flatMap((head) => versionOf(head) ?? []);
    // One that was lost is written back after later ones.
    return versions.toSorted((one, other) => (isLaterText(one, other) ? -1 : 1));
  }

  /** The text of one of the last 50 versions. @param version its number: the later one of two */
  async text(version: number | Version): Promise<string | undefined> {
    const head = typeof version === 'number' ? String(version) : `${version.version} ${version.at} ${version.sha}`;
    const [text] = (await this.#client.run(historyScript, [this.#keys.history], [head])) as HistoryReply;
    return text ?? undefined;
  }

  /** Writes back what Redis has lost. @returns false if something else was written meanwhile: read again */
  async restore({ read, knownAt, text, older, entries }: Restoration): Promise<boolean> {
    const history = [older, text].flatMap((each) => (each === undefined ? [] : historyEntry(each)));
    const removals = entries.flatMap(({ override, field, at }) => (override === undefined ? [field, at] : []));
    const overrides = entries.flatMap(({ override, field, value }) => (override === undefined ? [] : [field, value]));
    const { version = '', sha = '', text: source = '', by = '', at = 0, reason = '' } = text ?? {};
    const known = [`${read.epoch} ${read.head}`, mark(), mark(), knownAt, version, sha, source, by, at, reason];
    const lists = [history, removals, overrides].flatMap((list) => [list.length, ...list]);
    return (await this.#write(restoreScript, [...known, ...lists])) === 1;
  }

  /** The processes that have read the policies within 15 seconds. */
  async processes(): Promise<readonly FleetProcess[]> {
    const reply = await this.#client.run(processesScript, [this.#keys.processes], [SILENCE_MS]);
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

  async #read([from, text, id, facts]: readonly [string, string, string, string]): Promise<News> {
    const { policies, overrides, changes, history, processes } = this.#keys;
    const keys = [policies, overrides, changes, history, processes];
    const reply = await this.#client.run(readScript, keys, [from, text, MAX_OVERRIDES, id, facts]);
    return newsOf(reply as ReadReply);
  }

  #write(script: RedisScript, args: readonly (string | number)[]): Promise<unknown> {
    const { policies, overrides, changes, history } = this.#keys;
    return this.#client.run(script, [policies, overrides, changes, history], args);
  }

  get #keys() {
    const key = this.#key;
    return {
      policies: key,
      overrides: `${key}:overrides`,
      changes: `${key}:changes`,
      history: `${key}:history`,
      processes: `${key}:processes`,
    };
  }
}

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

function historyEntry({ version, at, sha, by, reason, text }: KnownText): string {
  return `${version} ${at} ${sha} ${JSON.stringify({ by, reason })}\n${text}`;
}

/** Undefined for what another program has written. */
function versionOf(head: string): Version | undefined {
  const [, version, at, sha, meta] = /^(\d+) (\d+) (\w+) (.*)$/.exec(head) ?? [];
  if (meta === undefined) return undefined;
  try {
    const { by, reason } = JSON.parse(meta) as Pick<Version, 'by' | 'reason'>;
    return { version: Number(version), at: Number(at), sha: sha!, by, reason };
  } catch {
    return undefined;
  }
}

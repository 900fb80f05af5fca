// fleet/ keeps the policies of many processes in Redis: versions, stages, acknowledgements. A Redis client enters. It
// imports document, overrides, scripts and audit.
import { randomBytes } from 'node:crypto';
import { UsageError, type Store } from '@sluice/core';
import type { Override } from '../overrides/index.js';
import { type OptionRows, readOptions } from '@sluice/http/adapter';
import { SourceText } from '../document/source-text.js';
import type { Restoration } from './fleet-memory.js';
import { isLaterText, newsOf, timeOf, type KnownText, type News, type Position, type ReadReply } from './fleet-news.js';
import type {
  Applied,
  Conflict,
  FleetOverride,
  FleetProcess,
  FleetState,
  ProcessFacts,
  Proposal,
  Version,
} from './fleet-state.js';
import { entryIn, fieldOf, openText, type Entry } from './override-entry.js';
import { auditLog, type AuditLog } from '../audit/audit-log.js';
import { actIn, isSameAct, openAct, type Act, type NewAct } from '../audit/act.js';
import { overrideActsKey } from '../audit/client-acts.js';
import type { RedisScript } from '../scripts/redis-script.js';
import { ScriptClient } from '../scripts/script-client.js';
import { applyScript, historyScript, overrideScript, processesScript, readScript, restoreScript } from './scripts.js';

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
export const MAX_OVERRIDES = 10_000;
/** Milliseconds after which a process that was not heard has ended. */
const SILENCE_MS = 15_000;

/** What a process has read: where it goes on. */
export interface Known {
  /** Undefined: it reads all. */
  readonly position: Position | undefined;
  readonly text: KnownText | undefined;
}

/** A change of an override. */
interface Setting {
  /** Undefined for a repetition, which has changed nothing. */
  readonly entry: Entry | undefined;
  /** Undefined without an author. */
  readonly act: Act | undefined;
}

interface Removal extends Setting {
  /** False: there was none in Redis. */
  readonly isFound: boolean;
}

/** Of overrideScript. None of them if there are too many overrides. */
type OverrideReply = readonly [] | readonly [head: string, value: string, found: number, act: string];

export const FLEET_ROWS = {
  name: { is: /^[\w.-]{1,64}$/, words: '1 to 64 of a-z, A-Z, 0-9, _, - and .' },
} as const satisfies OptionRows;

/** Policies and overrides in Redis, for all processes. */
export class RedisPolicies {
  readonly name: string;
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

  /** Puts a text in force in all processes that take it. A conflict: another version is in force than the author knows. */
  async apply({ text, expected, by, reason }: Proposal): Promise<Applied | Conflict> {
    const { sha } = new SourceText(this.name, text);
    const meta = JSON.stringify({ by, reason });
    const reply = await this.#write(applyScript, [expected, sha, text, by, reason, meta, mark(), mark()]);
    const [version, current, author, why] = reply as readonly (string | null)[];
    if (!version) return { conflict: Number(current), by: author ?? '', reason: why ?? '' };
    const act = { id: `${this.name}:v${version}.${sha.slice(0, 8)}`, at: Number(current), operation: 'apply' } as const;
    const detail = { policies: this.name, version: Number(version), sha };
    await this.#log.report({ ...act, by, reason, tiers: [], detail });
    return { version: Number(version), sha };
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

  /**
   * @param ended overrides that make room
   * @param act recorded in the same step. One that was recorded before changes nothing
   * @throws UsageError beyond 10 000, and for an id that names another act
   */
  async setOverride(override: FleetOverride, ended: readonly Override[] = [], act?: NewAct): Promise<Setting> {
    const field = fieldOf(override);
    const reply = await this.#changeOverride(override, openText(override), act, ended);
    const [head, value] = reply;
    if (head === '') return { entry: undefined, act: repeated(reply, act!) };
    if (head !== undefined) return { entry: entryIn(field, value!)!, act: await this.#reported(reply) };
    throw new UsageError('USAGE_INVALID', `override: there are at most ${MAX_OVERRIDES}: remove one first`);
  }

  /** @param act as for `setOverride`. A removal that finds none is not recorded @throws UsageError for an id that names another act */
  async removeOverride(owner: Pick<Override, 'tier' | 'digest' | 'partition'>, act?: NewAct): Promise<Removal> {
    const field = fieldOf(owner);
    const reply = await this.#changeOverride(owner, '', act);
    const [head, , found] = reply;
    if (head === '') return { entry: undefined, isFound: true, act: repeated(reply, act!) };
    const entry = { field, at: timeOf(head!), value: '', override: undefined };
    return { entry, isFound: found === 1, act: await this.#reported(reply) };
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

  async #changeOverride(
    owner: Pick<Override, 'tier' | 'digest' | 'partition'>,
    text: string,
    act: NewAct | undefined,
    ended: readonly Override[] = [],
  ): Promise<OverrideReply> {
    const { policies, overrides, changes, history } = this.#keys;
    const { digest, partition } = owner;
    const keys = [policies, overrides, changes, history, overrideActsKey(this.name, { digest, partition })];
    const recorded = act === undefined ? ['', ''] : [act.id, openAct(act)];
    const args = [MAX_OVERRIDES, fieldOf(owner), text, mark(), mark(), ...recorded, ...ended.map(fieldOf)];
    return (await this.#client.run(overrideScript, keys, args)) as OverrideReply;
  }

  async #reported([, , , row = '']: OverrideReply): Promise<Act | undefined> {
    const act = actIn(row);
    if (act !== undefined) await this.#log.report(act);
    return act;
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

/** Tells a change from another one at the same time, and a history from another one. */
function mark(): string {
  return randomBytes(6).toString('base64url');
}

function historyEntry({ version, at, sha, by, reason, text }: KnownText): string {
  return `${version} ${at} ${sha} ${JSON.stringify({ by, reason })}\n${text}`;
}

/** The act that a repetition has found. @throws UsageError for another act */
function repeated([, , , row = '']: OverrideReply, act: NewAct): Act {
  const known = actIn(row);
  if (known !== undefined && isSameAct(known, act)) return known;
  throw new UsageError('USAGE_INVALID', 'override: id names another change of this client: write a new id');
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

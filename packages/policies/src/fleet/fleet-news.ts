import { createHash } from 'node:crypto';
import { entryIn, type Entry } from './override-entry.js';
import type { AppliedText } from './fleet-state.js';

/** A text that was applied, as a process knows it. */
export interface KnownText extends AppliedText {
  readonly version: number;
  readonly sha: string;
}

/** Whether one of two texts was applied later, or is the other one under a higher version. */
export function isLaterText(one: Named, other: Named): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return one.sha === other.sha ? one.version > other.version : one.sha > other.sha;
}

type Named = Pick<KnownText, 'version' | 'at' | 'sha'>;

/** Epoch and last change of a state: what a process has read. */
export interface Position {
  /** Random, of the first change of a history. */
  readonly epoch: string;
  /** Time and mark of the last change. '': none. */
  readonly head: string;
}

/** What a process does not have of the state in Redis. */
export interface News extends Position {
  readonly now: number;
  /** 0: nothing was applied. */
  readonly version: number;
  /** Undefined if it is known, or nothing was applied. */
  readonly text: KnownText | undefined;
  /** Undefined: those of the position that the reader has. */
  readonly overrides: Changed | Everything | undefined;
  /** How many overrides there are. Those beyond the bound are not among them. */
  readonly count: number;
  /** What another program has written in the place of a text. */
  readonly damage: string | undefined;
}

/** Overrides that have changed since a position. */
export interface Changed {
  readonly changed: readonly Entry[];
}

/** All overrides, and what is known of those that were removed. */
export interface Everything {
  readonly all: ReadonlyMap<string, Entry>;
  /** When the first of the changes was made that Redis remembers. 0: it remembers all. */
  readonly since: number;
  /** False: there are more overrides. */
  readonly isWhole: boolean;
}

export type ReadReply = readonly [
  now: string,
  epoch: string,
  head: string,
  version: string,
  text: readonly (string | null)[] | null,
  kind: number,
  rows: readonly string[],
  overrides: readonly string[],
  count: number,
];

/** The list of changes has so many. */
const MAX_CHANGES = 1_000;

/** What the script has replied. */
export function newsOf([now, epoch, head, version, text, kind, rows, overrides, count]: ReadReply): News {
  const known = text === null || version === '0' ? undefined : textIn(Number(version), text);
  const isDamaged = text !== null && version !== '0' && known === undefined;
  const changes = rows.flatMap((row) => rowIn(row) ?? []);
  return {
    now: Number(now),
    epoch,
    head,
    version: Number(version),
    text: known,
    overrides: kind === 0 ? undefined : kind === 1 ? { changed: changes } : everything(changes, rows, overrides, count),
    count,
    damage: isDamaged ? `v${version} in Redis is not what was applied: its text and its SHA-256 differ` : undefined,
  };
}

/** When a change was made. */
export function timeOf(head: string): number {
  return Number(head.split(' ', 1)[0]);
}

function textIn(version: number, [sha, text, by, at, reason]: readonly (string | null)[]): KnownText | undefined {
  if (!sha || text === null || text === undefined || sha !== shaOf(text)) return undefined;
  return { version, sha, text, by: by ?? '', at: Number(at) || 0, reason: reason ?? '' };
}

function shaOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function everything(
  changes: readonly Entry[],
  rows: readonly string[],
  overrides: readonly string[],
  count: number,
): Everything {
  const all = new Map<string, Entry>();
  for (const entry of changes.toReversed()) if (entry.override === undefined) all.set(entry.field, entry);
  for (let index = 0; index < overrides.length; index += 2) {
    const entry = entryIn(overrides[index]!, overrides[index + 1]!);
    if (entry !== undefined) all.set(entry.field, entry);
  }
  const since = rows.length < MAX_CHANGES ? 0 : timeOf(rows.at(-1)!);
  return { all, since, isWhole: overrides.length === 2 * count };
}

/** The override of a row. Undefined for a change of the text, and for what another program has written. */
function rowIn(row: string): Entry | undefined {
  const [, at, field, value] = /^(\d+) [\w-]+ ([^\n]+)\n(.*)$/.exec(row) ?? [];
  if (field === undefined) return undefined;
  return value === '' ? { field, at: Number(at), value: '', override: undefined } : entryIn(field, value!);
}

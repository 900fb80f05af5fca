import { isLater, type Entry } from './override-entry.js';
import { timeOf, type Everything, type KnownText, type News, type Position } from './fleet-news.js';
import type { FleetOverride } from './fleet-state.js';

/** What Redis has lost, and a process writes back. */
export interface Restoration {
  /** What Redis had when it was read. */
  readonly read: Position;
  /** The last change that the process knows. */
  readonly knownAt: number;
  /** Undefined: that of Redis stands. */
  readonly text?: KnownText | undefined;
  /** A text that is in force in processes of an older release, and that the history lacks. */
  readonly older?: KnownText;
  /** Overrides that were removed, or that were set. */
  readonly entries: readonly Entry[];
}

/** What a reading has changed. */
export interface Taken {
  /** Another text, or another version of it, is in force. */
  readonly text: KnownText | undefined;
  /** Names of overrides that have changed. */
  readonly fields: readonly string[];
  readonly restoration: Restoration | undefined;
}

/** Redis remembers as many changes. */
const MAX_REMOVALS = 1_000;

/**
 * All that a process knows of policies in Redis. A reading joins both: of each override, and of the text, what was said later
 * stands, so that processes agree in whatever order they read, and what was said after a loss wins over what was lost.
 */
export class FleetMemory {
  #last: Position | undefined;
  /** Redis lacks something that this process knows. */
  #readsAll = false;
  #text: KnownText | undefined;
  /** Overrides, and removals as far back as Redis remembers them. */
  readonly #entries = new Map<string, Entry>();
  #removals = 0;
  #changes = 0;
  /** Before this time overrides were removed that are not among the entries. */
  #since = 0;
  /** Fields of Redis that are no overrides, or beyond the bound. */
  #strangers = 0;
  /** What this process has written and not read yet. */
  readonly #own = new Map<string, Entry>();

  /** What to read from. Undefined: all. */
  get position(): Position | undefined {
    return this.#readsAll ? undefined : this.#last;
  }

  get text(): KnownText | undefined {
    return this.#text;
  }

  /** When the last change was made that it has. */
  get changes(): number {
    return this.#changes;
  }

  /** What this process has written and not read yet. */
  get own(): readonly Entry[] {
    return [...this.#own.values()];
  }

  overrides(): readonly FleetOverride[] {
    return [...this.#entries.values()].flatMap(({ override }) => override ?? []);
  }

  overrideOf(field: string): FleetOverride | undefined {
    return this.#entries.get(field)?.override;
  }

  /** Redis has taken a change of this process. It may lose it before the process reads it. */
  note(entry: Entry): void {
    this.#own.set(entry.field, entry);
    this.#put(entry);
  }

  /** @param own what was written before the reading began */
  take(news: News, own: readonly Entry[]): Taken {
    const { overrides } = news;
    if (overrides !== undefined && 'all' in overrides) return this.#join(news, overrides);
    const fields = (overrides?.changed ?? []).toReversed().flatMap((entry) => (this.#put(entry) ? entry.field : []));
    for (const { field } of overrides?.changed ?? []) this.#own.delete(field);
    const text = this.#takeText(news);
    this.#moveTo(news);
    // Redis has gone on without it, or somebody has deleted a key.
    const isOwnLost = own.some(({ field, at }) => this.#own.get(field)?.at === at);
    if (isOwnLost || news.count !== this.#entries.size - this.#removals + this.#strangers) this.#readsAll = true;
    const restoration = text.isOwn ? this.#restorationOf(news, []) : undefined;
    return { text: text.isNew ? this.#text : undefined, fields, restoration };
  }

  #join(news: News, { all, since, isWhole }: Everything): Taken {
    const isSame = this.#last?.epoch === news.epoch;
    const hasGoneOn = isSame && timeOf(this.#last!.head) < since;
    const lost: Entry[] = [];
    const fields: string[] = [];
    for (const [field, entry] of this.#entries) {
      const other = all.get(field);
      const isGone =
        other === undefined && entry.override !== undefined && (!isWhole || (hasGoneOn && entry.at < since));
      if (isGone) {
        this.#delete(field);
        fields.push(field);
      } else if (other === undefined ? entry.override !== undefined : isLater(entry, other)) lost.push(entry);
    }
    for (const entry of all.values()) {
      // One that was removed so long ago that this process does not remember it.
      if (isSame && entry.override !== undefined && entry.at < this.#since && !this.#entries.has(entry.field)) {
        const removal: Entry = { field: entry.field, at: this.#changes, value: '', override: undefined };
        this.#put(removal);
        lost.push(removal);
      } else if (this.#put(entry)) fields.push(entry.field);
    }
    this.#since = Math.max(this.#since, since);
    this.#strangers = news.count - [...all.values()].filter(({ override }) => override !== undefined).length;
    this.#own.clear();
    const text = this.#takeText(news);
    const hasNoHead = news.head === '' && (this.#text !== undefined || this.#entries.size > 0);
    const isLost = lost.length > 0 || text.isOwn || hasNoHead;
    const removals = [...this.#entries.values()].filter((each) => each.override === undefined && !all.has(each.field));
    this.#moveTo(news);
    const restoration = isLost ? this.#restorationOf(news, [...removals, ...lost]) : undefined;
    return { text: text.isNew ? this.#text : undefined, fields, restoration };
  }

  /** The later one of two texts, under a version above both. */
  #takeText({ version, text, damage }: News): { readonly isNew: boolean; readonly isOwn: boolean } {
    const own = this.#text;
    if (text === undefined) {
      const isLost = own !== undefined && (version !== own.version || damage !== undefined);
      // Redis may have lost it and gone on, before somebody has spoilt its text.
      if (isLost && version > own.version) this.#text = { ...own, version };
      return { isNew: false, isOwn: isLost };
    }
    if (own === undefined) {
      this.#text = text;
      return { isNew: true, isOwn: false };
    }
    const isSame = own.at === text.at && own.sha === text.sha;
    if (isSame) {
      this.#text = { ...own, version: Math.max(own.version, text.version) };
      return { isNew: own.version < text.version, isOwn: own.version > text.version };
    }
    const isOwn = own.at > text.at || (own.at === text.at && own.sha > text.sha);
    const isBehind = isOwn ? own.version <= text.version : text.version <= own.version;
    const later = isOwn ? own : text;
    this.#text = isBehind ? { ...later, version: Math.max(own.version, text.version) + 1 } : later;
    return { isNew: !isOwn || isBehind, isOwn: isOwn || isBehind };
  }

  /** Writes back to the history alone. */
  restorationOf({ epoch, head }: News, older: KnownText): Restoration {
    return { read: { epoch, head }, knownAt: this.#changes, older, entries: [] };
  }

  #restorationOf({ epoch, head }: News, entries: readonly Entry[]): Restoration {
    // It reads all again, also if this does not reach Redis.
    this.#readsAll = true;
    return { read: { epoch, head }, knownAt: this.#changes, text: this.#text, entries };
  }

  #moveTo({ epoch, head }: News): void {
    this.#readsAll = false;
    this.#last = head === '' ? undefined : { epoch, head };
    if (head !== '') this.#changes = Math.max(this.#changes, timeOf(head));
  }

  /** @returns false for what was known, or is older than that */
  #put(entry: Entry): boolean {
    const known = this.#entries.get(entry.field);
    if (known !== undefined && !isLater(entry, known)) return false;
    // Later changes are at the end.
    this.#delete(entry.field);
    this.#entries.set(entry.field, entry);
    this.#changes = Math.max(this.#changes, entry.at);
    if (entry.override === undefined) this.#removals += 1;
    if (this.#removals > MAX_REMOVALS) this.#forgetRemoval();
    return true;
  }

  #delete(field: string): void {
    const known = this.#entries.get(field);
    if (known === undefined) return;
    if (known.override === undefined) this.#removals -= 1;
    this.#entries.delete(field);
  }

  #forgetRemoval(): void {
    for (const { field, override, at } of this.#entries.values()) {
      if (override !== undefined) continue;
      this.#since = Math.max(this.#since, at + 1);
      this.#delete(field);
      return;
    }
  }
}

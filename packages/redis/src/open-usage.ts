import { openKey, type OpenUsagePage } from '@sluice/core/internal';
import { scripts } from '@sluice/core/scripts';
import { KeyScan } from './key-scan.js';
import type { ScriptCalls } from './script-calls.js';
import { openIn, openUsageList, openUsagePage, usageReading, type Listed } from './stored-usage.js';

/** Usage that a call reads, or that calls read together. More would block the server for other calls. */
const MAX_KEYS = 50;
/** Between two calls of a long search, so that an export can keep its lock, or end. */
const NOTHING: OpenUsagePage = { now: 0, usage: [] };
/** What keys of usage end with, also those of version 0.2.0. */
const USAGE = [':used', ':usage'];
/** Steps of a scan that is not to count. */
const IN_VAIN = -1;

/** Finds the usage that is open: on one server by the set of it, and on a Cluster by scans. */
export class OpenUsageReader {
  readonly #calls: ScriptCalls;
  readonly #keys: KeyScan;
  /** Names the scans of this process in the set of open usage. */
  readonly #scanName = `scan ${Math.random().toString(36).slice(2)}`;

  constructor(calls: ScriptCalls) {
    this.#calls = calls;
    this.#keys = new KeyScan(calls);
  }

  pages(prefix: string): AsyncIterable<OpenUsagePage> {
    return this.#calls.isCluster ? this.#scanned(prefix) : this.#listed(prefix);
  }

  /** No script of a Cluster reaches a set of all usage, so that each primary is scanned. */
  async *#scanned(prefix: string): AsyncGenerator<OpenUsagePage> {
    for (const tag of this.#calls.tagsOfPrimaries()) {
      for await (const keys of this.#scan(prefix, tag)) {
        const parts = this.#calls.split(keys.map((key) => ({ key })));
        for (let at = 0; at < parts.length; at += MAX_KEYS) {
          const reading = parts.slice(at, at + MAX_KEYS).map((part) => this.#read(part.map(({ key }) => key)));
          yield* await Promise.all(reading);
        }
        yield NOTHING;
      }
    }
  }

  async #read(keys: readonly string[]): Promise<OpenUsagePage> {
    const { now, usage } = usageReading(await this.#calls.runAside(scripts['read-usage'], keys));
    return { now, usage: keys.map((key, place) => openIn(key, usage[place]!, now)) };
  }

  async *#listed(prefix: string): AsyncGenerator<OpenUsagePage> {
    const set = openKey(`${prefix}:{`);
    const first = await this.#list(set, 0, 0);
    if (!first.isScanned) yield* this.#addFound(prefix, set);
    // All of the list before any of its usage is read, because reading changes it.
    const listed: Listed[] = [];
    for (let page = first.isScanned ? first.usage : await this.#page(set, 0); page.length > 0;) {
      listed.push(...page);
      page = await this.#page(set, listed.length);
    }
    for (let at = 0; at < listed.length; at += MAX_KEYS) {
      const part = listed.slice(at, at + MAX_KEYS);
      const keys = part.map(({ key }) => key);
      const hours = part.map(({ oldest }) => oldest);
      yield openUsagePage(await this.#calls.runAside(scripts['read-open-usage'], [set, ...keys], hours), keys);
    }
  }

  /** Before the first export, and after Redis has lost the set, a scan finds what is open. */
  async *#addFound(prefix: string, set: string): AsyncGenerator<OpenUsagePage> {
    let hasEarlier = false;
    let steps = 1;
    for await (const keys of this.#scan(prefix, '~usage')) {
      for (let at = 0; at < keys.length; at += MAX_KEYS) {
        const call = [set, ...keys.slice(at, at + MAX_KEYS)];
        const reply = await this.#calls.runAside(scripts['add-open-usage'], call, [this.#scanName]);
        if (Number(reply) === 1) hasEarlier = true;
        steps += 1;
      }
      yield NOTHING;
    }
    // Processes of an earlier version, which may still run, add nothing to the set.
    await this.#list(set, 0, hasEarlier ? IN_VAIN : steps);
  }

  async #page(set: string, offset: number): Promise<readonly Listed[]> {
    return (await this.#list(set, offset)).usage;
  }

  /** @param steps 0 before a scan, and how often it was in the set after it. Undefined: there is none */
  async #list(set: string, offset: number, steps?: number): Promise<ReturnType<typeof openUsageList>> {
    const args = [offset, set, steps === undefined ? '' : this.#scanName, steps ?? 0];
    return openUsageList(await this.#calls.runAside(scripts['list-open-usage'], [set], args));
  }

  #scan(prefix: string, tag: string): AsyncIterable<readonly string[]> {
    return this.#keys.pages(`${prefix}:{${tag}}`, { begin: `${prefix}:`, like: '*:us*', ends: USAGE });
  }
}

import type { ConfigError, Limiter } from '@sluice/core';
import { warn, type SharedLimiterOptions } from '@sluice/core/adapter';
import { channels } from '@sluice/core/operations';
import type { PolicyDocument } from './document/read-document.js';
import type { WatchedFile } from './file/watched-file.js';
import { LiveLimiters } from './live-limiters.js';
import type { Policies, PoliciesStatus } from './policies.js';

/** Milliseconds between two looks at the file. */
const INTERVAL_MS = 2_000;

interface FilePoliciesContext<S> {
  readonly watched: WatchedFile;
  /** @throws ConfigError */
  readonly read: (text: string) => PolicyDocument<S>;
  readonly document: PolicyDocument<S>;
  /** Why the fallback is in force. */
  readonly problem?: ConfigError;
}

/** The policies of `openPolicies`. The interface `Policies` documents its methods. */
export class FilePolicies<S> implements Policies<S> {
  readonly #watched: WatchedFile;
  readonly #read: (text: string) => PolicyDocument<S>;
  readonly #limiters: LiveLimiters<S>;
  #source: PoliciesStatus['source'];
  #since = Date.now();
  #rejected = 0;
  /** Why the newest text is not in force. */
  #refusal: Error | undefined;
  /** Why the file cannot be read now. */
  #absence: Error | undefined;
  /** Readings follow each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ watched, read, document, problem }: FilePoliciesContext<S>) {
    this.#watched = watched;
    this.#read = read;
    this.#limiters = new LiveLimiters(document);
    this.#source = problem === undefined ? 'file' : 'fallback';
    if (problem !== undefined) this.#report((this.#refusal = problem));
    this.#tell(document);
    this.#wait();
  }

  limiter(name: string, options: SharedLimiterOptions<S> = {}): Limiter<S> {
    return this.#limiters.create(name, options);
  }

  refresh(): Promise<void> {
    const done = this.#turn.then(() => this.#refresh());
    this.#turn = done.catch(() => undefined);
    return done;
  }

  status(): PoliciesStatus {
    return {
      source: this.#source,
      sha: this.#limiters.document.source.sha,
      since: this.#since,
      rejected: this.#rejected,
      problem: (this.#absence ?? this.#refusal)?.message,
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const look = () => this.refresh().catch(() => undefined);
    if (!this.#isClosed) this.#timer = setTimeout(() => void look().then(() => this.#wait()), INTERVAL_MS).unref();
  }

  async #refresh(): Promise<void> {
    const text = await this.#textOrAbsence();
    if (this.#isClosed) return;
    if (text === undefined) {
      if (this.#refusal) throw this.#refusal;
      return;
    }
    try {
      const document = this.#read(text);
      this.#limiters.replace(document);
      this.#accept(document);
    } catch (error) {
      this.#report((this.#refusal = error as Error));
      throw error;
    }
  }

  /** Undefined for the text that was read before. @throws ConfigError */
  async #textOrAbsence(): Promise<string | undefined> {
    try {
      const text = await this.#watched.readChange();
      this.#absence = undefined;
      return text;
    } catch (error) {
      const { message } = error as Error;
      // Each look fails alike until somebody repairs the file.
      if (message !== this.#absence?.message) this.#report(error as Error);
      this.#absence = error as Error;
      throw error;
    }
  }

  #accept(document: PolicyDocument<S>): void {
    this.#refusal = undefined;
    this.#source = 'file';
    this.#since = Date.now();
    this.#tell(document);
  }

  #tell({ source: { sha }, doubts }: PolicyDocument<S>): void {
    for (const doubt of doubts) warn('SLUICE_POLICIES_DOUBTFUL', doubt, doubt);
    if (channels.policies.hasSubscribers) channels.policies.publish({ state: 'applied', source: this.#source, sha });
  }

  #report({ message }: Error): void {
    this.#rejected += 1;
    warn('SLUICE_POLICIES_REJECTED', `${message}. The policies in force stay`, message);
    if (channels.policies.hasSubscribers)
      channels.policies.publish({ state: 'rejected', source: 'file', problem: message });
  }
}

import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '@sluice/core';
import { MAX_BYTES } from '../document/source-text.js';

/** Milliseconds in which a text must not change: a writer that stops for longer within a file is not waited for. */
const SETTLED_MS = 100;
const MAX_READINGS = 10;

/**
 * A file that others write: in place, by a rename, or behind a symbolic link that moves. It is compared by its content,
 * because each of these changes other facts of a file.
 */
export class WatchedFile {
  readonly path: string;
  /** The text that was read last. */
  #last: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws ConfigError OPTION_INVALID for a file that cannot be read, or is too large */
  async read(): Promise<string> {
    this.#last = await this.#text();
    return this.#last;
  }

  /** The text if it is another one than that of the last reading, and the file does not change now. @throws ConfigError as `read` */
  async readChange(): Promise<string | undefined> {
    let text = await this.#text();
    if (text === this.#last) return undefined;
    for (let reading = 1; reading < MAX_READINGS; reading += 1) {
      await delay(SETTLED_MS);
      const again = await this.#text();
      if (again === text) {
        this.#last = text;
        return text;
      }
      text = again;
    }
    return undefined;
  }

  async #text(): Promise<string> {
    try {
      const file = await open(this.path, 'r');
      try {
        const { size } = await file.stat();
        if (size > MAX_BYTES)
          throw this.#error(`has ${Math.ceil(size / 1024)} KB, and must have at most ${MAX_BYTES / 1024}`);
        return await file.readFile('utf8');
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause;
      throw this.#error(`cannot be read: ${(cause as Error).message}`, cause);
    }
  }

  #error(rule: string, cause?: unknown): ConfigError {
    return new ConfigError('OPTION_INVALID', 'file', undefined, `${this.path} ${rule}`, { cause });
  }
}

// file/ watches a file of policies. A path enters, and its text leaves after each change. It imports document.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '@sluice/core';
import { MAX_BYTES } from '../document/source-text.js';

/** Milliseconds in which a text must not change: a writer that stops for longer within a file is not waited for. */
const SETTLED_MS = 100;
const MAX_READINGS = 10;

/** Opening a pipe would wait until somebody writes to it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

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
      const file = await open(this.path, READ);
      try {
        const stat = await file.stat();
        if (!stat.isFile())
          throw this.#error(`must be a file, and is ${stat.isDirectory() ? 'a folder' : 'a device or a pipe'}`);
        const bytes = await bytesOf(file);
        if (bytes.length <= MAX_BYTES) return this.#decoded(bytes);
        throw this.#error(
          `has ${Math.ceil(Math.max(stat.size, bytes.length) / 1024)} KB, and must have at most ${MAX_BYTES / 1024}`,
        );
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause;
      throw this.#error(`cannot be read: ${(cause as Error).message}`, cause);
    }
  }

  /** A name with characters of another coding would be another name. */
  #decoded(bytes: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw this.#error('must be text in UTF-8', cause);
    }
  }

  #error(rule: string, cause?: unknown): ConfigError {
    return new ConfigError('OPTION_INVALID', 'file', undefined, `${this.path} ${rule}`, { cause });
  }
}

/** One byte more than allowed at most, because a file may grow while it is read. */
async function bytesOf(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
  }
}

import type { Redis } from 'ioredis';

/** A server that the doctor examines. */
export class Server {
  readonly redis: Redis;
  /** `host:port`. */
  readonly name: string;
  readonly #info = new Map<string, Promise<ReadonlyMap<string, string>>>();

  constructor(redis: Redis) {
    this.redis = redis;
    // Behind Sentinels the options name no server.
    const { remoteAddress, remotePort } = redis.stream as { remoteAddress?: string; remotePort?: number };
    this.name = remoteAddress === undefined ? String(redis.options.path) : `${remoteAddress}:${remotePort}`;
  }

  /** The reply to any command. Rejects as the server does. */
  ask(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.redis.call(command, ...args);
  }

  /** The fields of a section of INFO, read once. */
  info(section: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#info.get(section) ?? this.#readInfo(section);
    this.#info.set(section, known);
    return known;
  }

  async #readInfo(section: string): Promise<ReadonlyMap<string, string>> {
    const text = (await this.ask('INFO', section)) as string;
    return new Map(
      text.split('\r\n').flatMap((line) => {
        const at = line.indexOf(':');
        return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
      }),
    );
  }
}

import { Redis } from 'ioredis';
import type { RedisClient } from '@sluice/redis';

type Argument = string | number;

/** The methods that the types of ioredis leave out. */
type BytesClient = Required<Pick<RedisClient, 'evalsha' | 'eval' | 'evalshaBuffer' | 'evalBuffer'>>;

/** A client that keeps the calls by SHA-1 with so many keys, as they are sent. */
export class RecordingClient implements RedisClient {
  readonly commands: Buffer[] = [];
  readonly #redis: Redis;
  readonly #keys: number;

  constructor(port: number, keys: number) {
    this.#redis = new Redis({ port, host: '127.0.0.1' });
    this.#keys = keys;
  }

  evalsha(...call: [string, number, ...Argument[]]): Promise<unknown> {
    return this.#client.evalsha(...call);
  }

  eval(...call: [string, number, ...Argument[]]): Promise<unknown> {
    return this.#client.eval(...call);
  }

  evalshaBuffer(...call: [string, number, ...Argument[]]): Promise<unknown> {
    if (call[1] === this.#keys) this.commands.push(command(['EVALSHA', ...call]));
    return this.#client.evalshaBuffer(...call);
  }

  evalBuffer(...call: [string, number, ...Argument[]]): Promise<unknown> {
    return this.#client.evalBuffer(...call);
  }

  end(): void {
    this.#redis.disconnect();
  }

  get #client(): BytesClient {
    return this.#redis as unknown as BytesClient;
  }
}

/** A command as it is sent. */
export function command(parts: readonly Argument[]): Buffer {
  const texts = parts.map((part) => {
    const text = String(part);
    return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
  });
  return Buffer.from(`*${parts.length}\r\n${texts.join('')}`);
}

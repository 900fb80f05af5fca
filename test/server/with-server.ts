import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type RateLimitServer, type ServeOptions } from '@sluice/server';
import { RateLimitClient } from './rate-limit-client.js';

export const SECRET = 'a secret of the tests';

/** A service on free ports, and clients of it. */
export interface Served {
  readonly server: RateLimitServer;
  readonly client: RateLimitClient;
  readonly file: string;
  /** Another text of the file, in force when it returns. */
  readonly change: (text: string) => Promise<void>;
  readonly post: (path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Posted>;
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Starts services for a spec, and ends them after each test. */
export function withServers() {
  const opened: (() => Promise<unknown> | void)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'sluice-server-'));

  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return async (text: string, options: Partial<ServeOptions> = {}): Promise<Served> => {
    const file = join(folder, `limits-${opened.length}.yaml`);
    writeFileSync(file, text);
    const server = await serve({
      file,
      secret: SECRET,
      listen: { http: 0, grpc: 0, operations: 0 },
      ...options,
    });
    opened.push(() => server.close(500));
    const client = new RateLimitClient(server.ports.grpc!);
    opened.push(() => client.close());
    return {
      server,
      client,
      file,
      change: async (other) => {
        writeFileSync(file, other);
        await server.refresh();
      },
      post: (path, body, headers) => post(server.ports.http!, path, body, headers),
    };
  };
}

/** Sends JSON as programs do. */
export async function post(
  port: number,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

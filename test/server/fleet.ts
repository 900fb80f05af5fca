import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { RateLimitClient } from './rate-limit-client.js';
import { post, SECRET } from './with-server.js';

/** Two applications of Express and two processes of the service, on one Redis. */
export class Fleet {
  readonly #children: ChildProcess[] = [];
  readonly #gateways: number[] = [];
  readonly #services: { readonly http: number; readonly client: RateLimitClient }[] = [];

  /** @param limits of the tier that counts addresses, as the file has them: `limit: 5, window: 1h` */
  static async start(folder: string, url: string, limits: string): Promise<Fleet> {
    const file = join(folder, 'limits.yaml');
    writeFileSync(
      file,
      `
version: 1
limiters: { api: { tiers: [{ name: tier, key: ip, ${limits} }] } }
extensions: { server: { descriptors: [{ tier: tier, from: [remote_address] }] } }
`,
    );
    const fleet = new Fleet();
    await Promise.all([
      ...[1, 2].map(() => fleet.#startGateway(file, url)),
      ...[1, 2].map(() => fleet.#startService(file, url)),
    ]);
    return fleet;
  }

  /** Sends requests of one address at once, a third by each protocol. @returns what is left after each that was admitted */
  async flood(ip: string, requests: number, inFlight: number): Promise<readonly number[]> {
    const left: number[] = [];
    let next = 0;
    const work = async () => {
      while (next < requests) {
        const number = next;
        next += 1;
        const remaining = await this.#send(ip, number);
        if (remaining !== undefined) left.push(remaining);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return left;
  }

  /** What is left by the middleware, by gRPC and by HTTP, without a charge. */
  async left(ip: string): Promise<readonly number[]> {
    const peeked = await fetch(`http://127.0.0.1:${this.#gateways[0]}/peek?ip=${ip}`);
    const decision = (await peeked.json()) as { readonly outcomes: readonly { readonly remaining: number }[] };
    const entries = [{ key: 'remote_address', value: ip }];
    const { http, client } = this.#services[0]!;
    const reply = await client.send({ domain: 'api', descriptors: [{ entries, hits_addend: { value: 0 } }] });
    const { body } = await post(http, '/check', { limiter: 'api', request: { ip }, peek: true });
    const checked = body['decision'] as typeof decision;
    return [decision.outcomes[0]!.remaining, reply.statuses[0]!.limit_remaining, checked.outcomes[0]!.remaining];
  }

  async stop(): Promise<readonly (number | null)[]> {
    for (const { client } of this.#services) client.close();
    return Promise.all(
      this.#children.map(async (child) => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        const [code] = (await ended) as [number | null];
        return code;
      }),
    );
  }

  async #send(ip: string, number: number): Promise<number | undefined> {
    const which = Math.floor(number / 3) % 2;
    if (number % 3 === 0) {
      const headers = { 'x-forwarded-for': ip };
      const response = await fetch(`http://127.0.0.1:${this.#gateways[which]}/`, { headers });
      await response.arrayBuffer();
      return response.status === 200 ? Number(response.headers.get('x-ratelimit-remaining')) : undefined;
    }
    const { http, client } = this.#services[which]!;
    if (number % 3 === 1) {
      const reply = await client.check('api', { remote_address: ip });
      return reply.overall_code === 'OK' ? reply.statuses[0]!.limit_remaining : undefined;
    }
    const { status, headers } = await post(http, '/check', { limiter: 'api', request: { ip } });
    return status === 200 ? Number(headers.get('x-ratelimit-remaining')) : undefined;
  }

  async #startGateway(file: string, url: string): Promise<void> {
    const program = join(root, 'test', 'server', 'programs', 'gateway.mjs');
    const said = await this.#run([program, file, url, SECRET], /port (\d+)/);
    this.#gateways.push(Number(said[1]));
  }

  async #startService(file: string, url: string): Promise<void> {
    const program = join(root, 'packages', 'server', 'bin', 'sluice-server.js');
    const ports = ['--http-port', '0', '--grpc-port', '0', '--operations-port', 'none'];
    const args = [program, file, '--redis', url, '--secret', SECRET, '--deadline', '10s', ...ports];
    const said = await this.#run(args, /http [\d.]+:(\d+), grpc [\d.]+:(\d+)/);
    this.#services.push({ http: Number(said[1]), client: new RateLimitClient(Number(said[2])) });
  }

  async #run(args: readonly string[], ready: RegExp): Promise<RegExpExecArray> {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const said = ready.exec(line);
      if (said !== null) return said;
    }
    throw new Error(`${args[0]} has ended`);
  }
}

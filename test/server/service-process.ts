import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/root.mjs';
import { execute, spawn } from '../support/child.js';
import { buildPackages } from '../support/program.js';
import { RateLimitClient } from './rate-limit-client.js';
import { post, SECRET, type Posted } from './with-server.js';

const PROGRAM = join(root, 'packages', 'server', 'bin', 'sluice-server.js');
const PORTS = ['--http-port', '0', '--grpc-port', '0', '--operations-port', '0'];

/** The service as operators run it: a process of its own, on free ports. */
export class ServiceProcess {
  readonly child: ChildProcess;
  readonly http: number;
  readonly grpc: number;
  readonly operations: number;
  readonly #said: string[];
  readonly #ended: Promise<readonly [code: number | null, signal: string | null]>;
  readonly #clients: RateLimitClient[] = [];

  private constructor(child: ChildProcess, ports: readonly number[], said: string[]) {
    this.child = child;
    [this.http, this.grpc, this.operations] = ports as [number, number, number];
    this.#said = said;
    this.#ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  }

  /** @param args of the command, after its file of policies */
  static start(file: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    return ServiceProcess.#run([PROGRAM, file, '--secret', SECRET, ...PORTS, ...args], env);
  }

  static async #run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    await buildPackages();
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    for await (const line of createInterface({ input: child.stdout })) {
      const ports = /http \S+:(\d+), grpc \S+:(\d+), operations \S+:(\d+)/.exec(line);
      if (ports !== null) return new ServiceProcess(child, ports.slice(1).map(Number), said);
    }
    throw new Error(`the service has ended: ${said.join('\n')}`);
  }

  /** A client of its own connection. */
  get client(): RateLimitClient {
    const client = new RateLimitClient(this.grpc);
    this.#clients.push(client);
    return client;
  }

  /** What it has printed for operators. */
  get log(): string {
    return this.#said.join('\n');
  }

  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Posted> {
    return post(this.http, path, body, headers);
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.operations}/metrics`)).text();
  }

  /** The sum of the series of a metric whose line has a text. */
  async metric(name: string, having = ''): Promise<number> {
    const lines = (await this.metrics()).split('\n').filter((line) => line.startsWith(name) && line.includes(having));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** In bytes of the machine. */
  async memory(): Promise<number> {
    const { pid } = this.child;
    const status = `/proc/${pid}/status`;
    if (existsSync(status)) return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
    const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it has ended: with a code, or by a signal. */
  get ended(): Promise<readonly [code: number | null, signal: string | null]> {
    return this.#ended;
  }

  /** Sends a signal. @returns how it has ended */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<readonly [code: number | null, signal: string | null]> {
    for (const client of this.#clients.splice(0)) client.close();
    if (this.isRunning) this.child.kill(signal);
    return this.#ended;
  }
}

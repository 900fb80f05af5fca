import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coresOf, pin } from '../../bench/src/processes/cores.js';
import { root } from '../../scripts/root.mjs';
import { startNginx, type NginxOptions, type NginxServer } from '../nginx/nginx-server.js';
import { fork } from '../support/child.js';
import { makeAuthority } from '../security/redis/certificates.js';
import { Flood } from './flood.js';
import type {
  Cluster,
  Connections,
  Question,
  ServerName,
  ServerSetup,
  ServerState,
  Started,
  Transport,
} from './terms.js';

/** How nginx passes requests on. */
export const PROXIES = ['default', 'keepalive', 'stamps'] as const;
export type Proxy = (typeof PROXIES)[number];

/** What is measured. */
export interface Entry {
  readonly server: ServerName;
  readonly connections: Connections;
  /** @default tcp */
  readonly transport?: Transport | undefined;
  /** Of `node:cluster`, with one worker. @default a process without a primary */
  readonly cluster?: Cluster | undefined;
  /** In front of the server. @default none */
  readonly proxy?: Proxy | undefined;
  /** The major version of Node. @default that of this process */
  readonly node?: number | undefined;
}

const DIRECTIVES: Readonly<Record<Proxy, NginxOptions>> = {
  default: { keepalive: 0, directives: '' },
  keepalive: { keepalive: 256, directives: '' },
  stamps: { keepalive: 0, directives: 'proxy_set_header X-Request-Start "t=${msec}";' },
};

/** What is measured beside loads. */
type Special = Pick<ServerSetup, 'sheds' | 'work'>;

/** A server in a process of its own, on a core of its own where there are two, and the clients of it. */
export class Contestant {
  readonly flood: Flood;
  readonly #child: ChildProcess;
  /** The process that answers. */
  readonly #pid: number;
  readonly #nginx: NginxServer | undefined;
  readonly #folder: string;

  private constructor(child: ChildProcess, pid: number, flood: Flood, nginx: NginxServer | undefined, folder: string) {
    this.#child = child;
    this.#pid = pid;
    this.flood = flood;
    this.#nginx = nginx;
    this.#folder = folder;
  }

  static async start(entry: Entry, { sheds, work }: Special = {}): Promise<Contestant> {
    const { server, connections, transport = 'tcp', cluster, proxy, node } = entry;
    const folder = mkdtempSync(join(tmpdir(), 'sluice-overload-'));
    if (transport === 'tls') await (await makeAuthority(folder, 'overload')).sign('127.0.0.1');
    const stamps = proxy === 'stamps' ? 'stamps' : undefined;
    const setup: ServerSetup = {
      server,
      transport,
      cluster,
      folder,
      sheds: sheds ?? stamps,
      ...(work !== undefined && { work }),
    };
    const child = fork(join(root, 'test', 'overload', 'server.ts'), [JSON.stringify(setup)], {
      // A worker counts alone, of which it warns.
      execArgv: ['--import', join(root, 'test', 'tools', 'typescript.mjs'), ...(cluster ? ['--no-warnings'] : [])],
      execPath: nodeOf(node),
    });
    const [{ pid, address }] = (await once(child, 'message')) as [Started];
    const cores = coresOf();
    if (cores) {
      pin(process.pid, cores.load);
      for (const each of new Set([child.pid!, pid])) pin(each, cores.contestants);
    }
    const nginx = proxy && 'port' in address ? await startNginx(address.port, DIRECTIVES[proxy]) : undefined;
    const flood = new Flood({ address: nginx ? { port: nginx.port } : address, transport, connections });
    return new Contestant(child, pid, flood, nginx, folder);
  }

  async state(): Promise<ServerState> {
    this.#ask('state');
    const [state] = (await once(this.#child, 'message')) as [ServerState];
    return state;
  }

  /** The server stops. */
  pause(milliseconds: number): void {
    this.#ask({ pause: milliseconds });
  }

  #ask(question: Question): void {
    this.#child.send(question);
  }

  /** Milliseconds for which the server has waited for a core. 0 where the system does not say. */
  waited(): number {
    try {
      const [, waited] = readFileSync(`/proc/${this.#pid}/schedstat`, 'utf8').split(' ');
      return Number(waited) / 1e6;
    } catch {
      return 0;
    }
  }

  async stop(): Promise<void> {
    this.flood.close();
    await this.#nginx?.stop();
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}

const nodes = new Map<number, string>();

/** The program of a version, of npm where it is not the one that runs. */
export function nodeOf(major: number | undefined): string {
  if (major === undefined || process.version.startsWith(`v${major}.`)) return process.execPath;
  const known = nodes.get(major);
  if (known !== undefined) return known;
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const args = ['--yes', '--package', `node-${system}@${major}`, 'node', '-p', 'process.execPath'];
  const path = execFileSync('npx', args, { encoding: 'utf8' }).trim();
  nodes.set(major, path);
  return path;
}

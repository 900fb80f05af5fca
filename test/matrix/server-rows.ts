import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { debianServer, type DebianServer } from './debian-server.js';
import { Gap, type Row, type Specs } from './row.js';

/** The suites of Debian that have these servers. */
const SERVERS: readonly (readonly [name: string, server: DebianServer])[] = [
  ['Redis 7.0', { suite: 'bookworm', package: 'redis-tools', checker: 'redis-check-rdb' }],
  ['Redis 8', { suite: 'trixie', package: 'redis-tools', checker: 'redis-check-rdb' }],
  ['Valkey 8', { suite: 'trixie', package: 'valkey-tools', checker: 'valkey-check-rdb' }],
  ['Valkey 9', { suite: 'forky', package: 'valkey-tools', checker: 'valkey-check-rdb' }],
];

/** Those that start a server, but for those whose subject is a framework, another program or the pages. */
export const serverSpecs: Specs = {
  dependOn: ['test/support/redis-process.ts'],
  except: /^test\/(adapters|browser|dashboard|docs|examples|metrics|nginx|prometheus|security\/requests|telemetry)\//,
};

export function serverRows(): readonly Row[] {
  return SERVERS.map(([name, server]) => ({
    axis: 'servers',
    name,
    specs: serverSpecs,
    async prepare() {
      const program = await debianServer(server);
      const version = await versionOf(program);
      const wanted = name.split(' ')[1]!;
      if (!`${version}.`.startsWith(`${wanted}.`)) throw new Gap(`${server.suite} has ${version}`);
      return {
        version,
        folder: root,
        environment: { SLUICE_REDIS_SERVER: program },
        dispose: async () => undefined,
      };
    },
  }));
}

/** `Redis server v=7.0.15 sha=…`. */
export async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown';
}

import { isLoopback } from '../../sources/other-host.js';
import { fine, problem, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

/** The server, its version, its role, and whether a password crosses the network in clear text. */
export async function checkRole(server: Server): Promise<Finding[]> {
  const [info, replication] = await Promise.all([server.info('server'), server.info('replication')]);
  const valkey = info.get('valkey_version');
  const product = valkey === undefined ? 'redis' : 'valkey';
  const version = valkey ?? info.get('redis_version') ?? 'unknown';
  const isPrimary = replication.get('role') === 'master';
  const isTls = server.redis.options.tls !== undefined;
  const what = `${product} ${version}, ${isPrimary ? 'primary' : 'replica'}, ${server.name}${isTls ? ', TLS' : ''}`;
  const primary = `${replication.get('master_host')}:${replication.get('master_port')}`;
  return [
    isOldVersion(product, version)
      ? problem('version', `${product} ${version}: Redis 7.0 or Valkey 7.2 is needed`, 'upgrade the server')
      : fine('version', what),
    ...(isPrimary ? [] : [problem('role', `${server.name} is a replica and cannot count`, `connect to ${primary}`)]),
    ...(hasOpenPassword(server)
      ? [warning('tls', `the password of ${server.name} crosses the network in clear text`, 'use rediss://')]
      : []),
  ];
}

function isOldVersion(product: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return product === 'valkey' ? major < 7 || (major === 7 && minor < 2) : major < 7;
}

function hasOpenPassword({ redis: { options, stream } }: Server): boolean {
  const { remoteAddress = '127.0.0.1' } = stream as { remoteAddress?: string };
  return Boolean(options.password) && options.tls === undefined && !isLoopback(remoteAddress);
}

import { Redis } from 'ioredis';
import { shell } from '../../terminal/shell.js';
import { fine, problem, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

/** Whether the Sentinels can replace the primary, and have something to replace it by. */
export async function checkSentinels({ redis }: Server, timeout: number): Promise<Finding[]> {
  const { sentinels, name, sentinelUsername, sentinelPassword, sentinelTLS } = redis.options;
  const findings = (sentinels ?? []).map(async ({ host, port }): Promise<Finding[]> => {
    const sentinel = new Redis({
      host: host!,
      port: port!,
      ...(sentinelUsername && { username: sentinelUsername }),
      ...(sentinelPassword && { password: sentinelPassword }),
      ...(sentinelTLS && { tls: sentinelTLS }),
      connectTimeout: timeout,
      commandTimeout: timeout,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    sentinel.on('error', () => undefined);
    try {
      return await examine(sentinel, { host: host!, port: port! }, name!);
    } catch (error) {
      const text = `the Sentinel ${host}:${port} does not answer: ${(error as Error).message}`;
      return [warning('sentinel', text, shell`redis-cli -h ${host!} -p ${port!} PING`)];
    } finally {
      sentinel.disconnect();
    }
  });
  return (await Promise.all(findings)).flat();
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function examine(sentinel: Redis, { host, port }: Address, name: string): Promise<Finding[]> {
  const where = `${host}:${port}`;
  const quorum = await sentinel.call('SENTINEL', 'CKQUORUM', name).catch((error: Error) => error);
  const group = (await sentinel.call('SENTINEL', 'MASTER', name)) as string[];
  const replicas = Number(group[group.indexOf('num-slaves') + 1]);
  const remedy = shell`redis-cli -h ${host} -p ${port} SENTINEL CKQUORUM ${name}`;
  return [
    quorum instanceof Error
      ? problem('sentinel', `the Sentinel ${where}: ${quorum.message}`, remedy)
      : fine('sentinel', `the Sentinel ${where}: ${String(quorum)}`),
    ...(replicas > 0
      ? []
      : [warning('replicas', `${name} has no replica to fail over to`, 'start one with --replicaof')]),
  ];
}

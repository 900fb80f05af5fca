import type { Redis } from 'ioredis';
import { shell } from '../../terminal/shell.js';
import { fine, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

/** An offset above which a failover moves windows noticeably. */
const MAX_OFFSET_MS = 100;
const READINGS = 5;

interface Offset {
  /** Milliseconds that a clock is ahead of this machine's. */
  readonly ahead: number;
  /** The offset lies at most this far from it: half of a round trip. */
  readonly bound: number;
}

/** Whether the clocks of the server and of its replicas agree: limits follow the clock of the primary. */
export async function checkClock(server: Server, connectTo: ConnectTo): Promise<Finding[]> {
  const own = await offsetOf(server.redis);
  const [side, distance] = [own.ahead < 0 ? 'behind' : 'ahead of', Math.abs(own.ahead)];
  const text = `clock ${distance.toFixed(1)} ms ${side} this machine (± ${own.bound.toFixed(1)})`;
  const isOff = distance - own.bound > MAX_OFFSET_MS;
  const remedy = 'synchronise the clocks, such as by chrony';
  return [
    isOff ? warning('clock', text, remedy) : fine('clock', text),
    ...(await Promise.all((await replicasOf(server)).map((where) => checkReplica(own, where, connectTo)))),
  ];
}

/** Connects to another server as the same user. */
export type ConnectTo = (host: string, port: number) => Promise<Redis>;

async function checkReplica(primary: Offset, { host, port }: Address, connectTo: ConnectTo): Promise<Finding> {
  const name = `${host}:${port}`;
  const redis = await connectTo(host, port).catch((error: Error) => error);
  if (redis instanceof Error) {
    return warning(
      'replica-clock',
      `the replica ${name} cannot be reached: ${redis.message}`,
      shell`redis-cli -h ${host} -p ${port} PING`,
    );
  }
  try {
    const own = await offsetOf(redis);
    const [apart, bound] = [own.ahead - primary.ahead, own.bound + primary.bound];
    const text = `the clock of the replica ${name} is ${Math.abs(apart).toFixed(1)} ms ${apart < 0 ? 'behind' : 'ahead'} (± ${bound.toFixed(1)})`;
    if (Math.abs(apart) - bound <= MAX_OFFSET_MS) return fine('replica-clock', text);
    return warning(
      'replica-clock',
      `${text}: a failover moves every window`,
      'synchronise the clocks, such as by chrony',
    );
  } finally {
    redis.disconnect();
  }
}

/** The reading with the shortest round trip. */
async function offsetOf(redis: Redis): Promise<Offset> {
  let best: Offset = { ahead: 0, bound: Infinity };
  for (let count = 0; count < READINGS; count += 1) {
    const start = performance.now();
    const [seconds, microseconds] = (await redis.time()).map(Number);
    const bound = (performance.now() - start) / 2;
    // Date.now() has whole milliseconds only.
    const ahead = seconds! * 1e3 + microseconds! / 1e3 - (performance.timeOrigin + start + bound);
    if (bound < best.bound) best = { ahead, bound };
  }
  return best;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function replicasOf(server: Server): Promise<Address[]> {
  const replication = await server.info('replication');
  return [...replication].flatMap(([name, value]) => {
    const [, host, port] = (/^slave\d+$/.test(name) && /^ip=([^,]+),port=(\d+)/.exec(value)) || [];
    return host === undefined ? [] : [{ host, port: Number(port) }];
  });
}

/** The commands of ioredis before it is ready, except HELLO and AUTH, which need no right. */
const connecting = '+client|setname +info';

/** The commands that call scripts, and those inside scripts. */
const limiting = '+eval +evalsha +time +get +set +setrange +incr +incrby +decrby +pexpireat +pexpiretime +unlink';
const logsAndRecords = '+llen +lindex +lrange +lpush +rpush +lpop +ltrim +lrem';
const permits = '+zadd +zcard +zcount +zrange +zrem +zremrangebyscore';
const lists = '+hget +hmget +hkeys +hset +hdel +zscore';
const balances = '+hgetall +hincrby +persist';
const usage = '+hlen +hexists';

/** The commands of a client for the topology of a Cluster. A caller's client also sends CLUSTER INFO. */
const cluster = '+cluster|slots +asking';

const user = (permissions: string) => `ACL SETUSER ratelimit reset on >password ${permissions}`;

const server = user(`~rl:* ${connecting} ${limiting} ${logsAndRecords} ${permits} ${lists} ${balances} ${usage}`);

/** The users of a limiter with minimal rights, for Redis 7.0 and Valkey 7.2. */
export const acl = {
  /** On a Redis, and on every server of a group with Sentinels. */
  server,
  /** On every node of a Cluster. */
  cluster: `${server} ${cluster}`,
  /** On every Sentinel. */
  sentinel: user('&+switch-master +subscribe +sentinel|get-master-addr-by-name +sentinel|sentinels'),
} as const;

/** The rules of an ACL line. */
export function userOf(line: string): string[] {
  return line.split(' ').slice(1);
}

/** The commands that a line allows. */
export function allowed(line: string): string[] {
  return line.split(' ').flatMap((word) => (word.startsWith('+') ? [word.slice(1)] : []));
}

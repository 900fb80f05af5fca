/** What ioredis asks of a server before it is ready, apart from HELLO and AUTH, which are open to everybody. */
const connecting = '+client|setname +info';

/** What the scripts of a limiter are called by, and what they call. */
const limiting = '+eval +evalsha +time +get +mget +set +incr +incrby +decrby +pexpireat +pexpiretime +unlink';
const logsAndRecords = '+llen +lindex +lrange +lpush +rpush +lpop +ltrim +lrem';

/** How a client finds its way in a Cluster. One that the store has not made asks for CLUSTER INFO as well. */
const cluster = '+cluster|slots +asking';

const user = (permissions: string) => `ACL SETUSER ratelimit reset on >password ${permissions}`;

/** The users that a limiter needs, with no right that it does not need, as Redis 7.0 and Valkey 7.2 read them. */
export const acl = {
  /** On a Redis, and on every server that Sentinels watch. */
  server: user(`~rl:* ${connecting} ${limiting} ${logsAndRecords}`),
  /** On every node of a Cluster. */
  cluster: user(`~rl:* ${connecting} ${limiting} ${logsAndRecords} ${cluster}`),
  /** On every Sentinel. */
  sentinel: user('&+switch-master +subscribe +sentinel|get-master-addr-by-name +sentinel|sentinels'),
} as const;

/** The words of a line after its ACL: what ioredis takes to make its user. */
export function userOf(line: string): string[] {
  return line.split(' ').slice(1);
}

/** The commands that a line allows. */
export function allowed(line: string): string[] {
  return line.split(' ').flatMap((word) => (word.startsWith('+') ? [word.slice(1)] : []));
}

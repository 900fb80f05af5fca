import { Redis } from 'ioredis';
import { startProgram, type Program } from '../../support/program.js';
import { startRedis, type RedisServer } from '../../support/redis.js';

/** Processes with one concurrency tier on one Redis. A second Redis counts what runs. */
export interface Crew {
  readonly server: RedisServer;
  readonly members: readonly Member[];
  /** Requests that run now, in all processes that live. */
  running(): Promise<number>;
  /** The most that ran at the same time since `watch`. */
  most(): Promise<number>;
  watch(): Promise<void>;
  /** Units in the sorted set of the tier. */
  stored(): Promise<number>;
  /** Milliseconds for which the unit that counts longest still does, by the clock of Redis. */
  longestHold(): Promise<number>;
  stop(): Promise<void>;
}

export interface Member {
  ask(verb: 'keep' | 'end' | 'work' | 'rest' | 'lapsed', units?: number): Promise<unknown>;
  /** Its requests end with it. */
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

const SIZE = 3;

/** Processes that have no duty: to start one takes longer than most tests. */
const idle: Program[] = [];

afterAll(() => Promise.all(idle.splice(0).map((program) => program.stop())));

export async function startCrew({ limit, hold }: { limit: number; hold: string }): Promise<Crew> {
  const [server, journalServer] = await Promise.all([startRedis(), startRedis()]);
  const journal = new Redis(journalServer.port);
  const open = new Map<string, Program>();
  const start = async (name: string): Promise<Member> => {
    const program = idle.pop() ?? (await startProgram('test/redis/permits/worker.mjs', []));
    const pid = program.started as number;
    open.set(name, program);
    const ask = (verb: string, argument: unknown) => program.request({ verb, argument });
    await ask('begin', { port: server.port, journalPort: journalServer.port, name, limit, hold });
    return {
      ask: (verb, units = 0) => ask(verb, units),
      async kill() {
        open.delete(name);
        process.kill(pid, 'SIGKILL');
        await journal.hdel('running', name);
      },
      signal: (signal) => void process.kill(pid, signal),
    };
  };
  const members = await Promise.all(Array.from({ length: SIZE }, (_, index) => start(`member-${index}`)));
  return {
    server,
    members,
    running: async () => (await journal.hvals('running')).reduce((sum, each) => sum + Number(each), 0),
    most: async () => Number(await journal.get('most')),
    watch: async () => void (await journal.del('most')),
    stored: () => storedUnits(server),
    longestHold: () => longestHold(server),
    async stop() {
      const programs = [...open.values()];
      await Promise.all(programs.map((program) => program.request({ verb: 'close' })));
      idle.push(...programs);
      journal.disconnect();
      await Promise.all([server.stop(), journalServer.stop()]);
    },
  };
}

/** Units in all sorted sets of a server, which only concurrency tiers have here. */
export function storedUnits({ port }: { readonly port: number }): Promise<number> {
  return onSortedSets(port, async (client, sets) => {
    const counts = await Promise.all(sets.map((key) => client.zcard(key)));
    return counts.reduce((sum, each) => sum + each, 0);
  });
}

function longestHold({ port }: { readonly port: number }): Promise<number> {
  return onSortedSets(port, async (client, sets) => {
    const ends = await Promise.all(
      sets.map(async (key) => Number((await client.zrange(key, '-1', '-1', 'WITHSCORES'))[1])),
    );
    // Read afterwards: a slow answer makes the time shorter, and fails nothing.
    const [seconds, microseconds] = (await client.time()) as unknown as [string, string];
    return Math.max(...ends) - (Number(seconds) * 1e3 + Number(microseconds) / 1e3);
  });
}

async function onSortedSets<T>(port: number, read: (client: Redis, sets: readonly string[]) => Promise<T>): Promise<T> {
  const client = new Redis(port);
  const keys = await client.keys('rl:*');
  const types = await Promise.all(keys.map((key) => client.type(key)));
  const answer = await read(
    client,
    keys.filter((_key, index) => types[index] === 'zset'),
  );
  client.disconnect();
  return answer;
}

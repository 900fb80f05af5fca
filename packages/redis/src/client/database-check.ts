/** The members of a client of ioredis or iovalkey for one server. */
interface SelectingClient {
  readonly isCluster?: boolean;
  readonly options?: { readonly db?: unknown; readonly username?: string | null };
  /** What it selects when it connects. */
  readonly condition?: { readonly select?: unknown } | null;
  select(database: number): Promise<unknown>;
  call(command: string, ...args: readonly string[]): Promise<unknown>;
}

/** Why requests would be counted in another database. Rejects where the connection is lost. */
export type DatabaseCheck = () => Promise<Error | undefined>;

/**
 * What examines the database of a client, each time that it is ready. ioredis and iovalkey select theirs when they connect, go on
 * in database 0 where the server refuses that, and tell nobody. Clients of node-redis and GLIDE do not connect then.
 *
 * @param client of a store, or the one that it has made
 * @returns undefined for a client in database 0, and for one that does not say its database
 * @example
 * const check = databaseCheckOf(new Redis('redis://127.0.0.1:6379/77'));
 * const problem = await check?.(); // DB_INDEX database 77 does not exist on this server (16): …
 */
export function databaseCheckOf(client: object): DatabaseCheck | undefined {
  const { ioredis = client } = client as { readonly ioredis?: object };
  if (!isSelecting(ioredis)) return undefined;
  return () => databaseMistake(ioredis);
}

function isSelecting(client: object): client is SelectingClient {
  const { isCluster, options, select, call } = client as Partial<SelectingClient>;
  return isCluster !== true && typeof select === 'function' && typeof call === 'function' && Number(options?.db) > 0;
}

async function databaseMistake(client: SelectingClient): Promise<Error | undefined> {
  // The application may have selected another one since.
  const database = Number(client.condition?.select ?? client.options?.db);
  try {
    await client.select(database);
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ReplyError') throw error;
    return Object.assign(new Error(await mistakeOf(client, database, message)), { name });
  }
}

/** @param refusal what the server replied */
async function mistakeOf(client: SelectingClient, database: number, refusal: string): Promise<string> {
  if (refusal.startsWith('NOPERM')) {
    const user = client.options?.username ?? 'default';
    return `DB_INDEX the user may not select database ${database}: redis-cli ACL SETUSER ${user} +select, or write no database`;
  }
  if (/cluster/i.test(refusal)) return `DB_INDEX a node of a Cluster has database 0 alone, got ${database}`;
  const count = await databasesOf(client);
  if (count === undefined) return missingDatabase(database, refusal);
  return `DB_INDEX database ${database} does not exist on this server (${count}): write 0 to ${count - 1}, or raise databases in redis.conf`;
}

/** True for what a server replies that has fewer databases. */
export function isDatabaseRefusal({ message }: Error): boolean {
  return /DB index is out of range|invalid DB index/i.test(message);
}

/** Where the server does not say how many it has. */
export function missingDatabase(database: number, refusal: string): string {
  return `DB_INDEX database ${database} does not exist on this server: ${refusal}. Write a lower one, or raise databases in redis.conf`;
}

/** Undefined if the user may not ask. */
async function databasesOf(client: SelectingClient): Promise<number | undefined> {
  const reply = await client.call('CONFIG', 'GET', 'databases').catch(() => undefined);
  // An array, or an object where the client speaks RESP3.
  const count = Number(Object.values(Object(reply) as object).at(-1));
  return Number.isInteger(count) ? count : undefined;
}

// doctor/ examines a Redis server, and prints what is wrong with it: doctor.ts lists the checks of checks/. A
// connection enters, and findings leave. It imports checks/, keys, sources, terminal, invocation and failure.
import { Redis, type Cluster } from 'ioredis';
import { ExitCode } from '../failure/exit-code.js';
import { unreachable } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { prefixesOf } from '../sources/prefixes.js';
import { openRedis, ready, type RedisSource } from '../sources/redis-source.js';
import { takeInventory } from '../keys/keys.js';
import { checkClock } from './checks/clock.js';
import { checkCoverage, checkPrimaries, checkReplicas, checkSkew, checkSlots } from './checks/cluster.js';
import { checkKeys } from './checks/keys.js';
import { checkRoundTrip, checkScript } from './checks/latency.js';
import { checkMemory } from './checks/memory.js';
import { checkRights } from './checks/rights.js';
import { checkRole } from './checks/role.js';
import { checkScripts, checkSlowLog } from './checks/scripts.js';
import { checkSentinels } from './checks/sentinel.js';
import { collectWarnings } from './checks/warnings.js';
import { uncheckedOf, type Finding, type ServerFinding } from './checks/finding.js';
import { printFindings, summaryOf } from './print-findings.js';
import { Server } from './checks/server.js';

interface DoctorOptions {
  readonly config?: string;
  readonly user?: string;
}

/** Examines the Redis of the limiters. It changes nothing, and runs commands that need no more than reading. */
export async function doctor(invocation: Invocation<DoctorOptions>): Promise<ExitCode> {
  const { options, terminal } = invocation;
  const warnings = collectWarnings(terminal);
  const source = await openRedis(options);
  try {
    const findings: ServerFinding[] = [...(await new Examination(source, invocation).run()), ...warnings()];
    const isFit = findings.every(({ level }) => level !== 'problem');
    if (terminal.isJson) terminal.document({ fit: isFit, findings });
    else {
      printFindings(terminal, findings);
      terminal.print(summaryOf(findings));
    }
    return isFit ? ExitCode.fine : ExitCode.found;
  } finally {
    await source.close();
  }
}

/** Most of the time of Redis that the search for keys takes. */
const SCAN_PERCENT = 10;

/** The checks of one call of the doctor, one after the other, because some of them measure times. */
class Examination {
  readonly #source: RedisSource;
  readonly #invocation: Invocation<DoctorOptions>;
  readonly #findings: ServerFinding[] = [];

  constructor(source: RedisSource, invocation: Invocation<DoctorOptions>) {
    this.#source = source;
    this.#invocation = invocation;
  }

  async run(): Promise<readonly ServerFinding[]> {
    const { client, deadline } = this.#source;
    // A primary of a Cluster may be away, and the others answer.
    const reached = await Promise.allSettled(this.#source.primaries().map((redis) => this.#reach(redis)));
    const servers = reached.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    for (const server of servers) await this.#examine(server);
    const [prefix] = prefixesOf(this.#source) as [string];
    await this.#check('script', undefined, () => checkScript(this.#source.openStore(), { prefix, deadline }));
    if (client.isCluster) await this.#examineCluster(servers, client as Cluster);
    await this.#check('keys', undefined, async () => {
      const { signal, terminal } = this.#invocation;
      return checkKeys(await takeInventory(this.#source, { rate: SCAN_PERCENT, terminal, signal }));
    });
    const [first] = servers;
    await this.#check('sentinel', undefined, () => checkSentinels(first!, this.#invocation.options.timeout));
    return this.#findings;
  }

  async #reach(redis: Redis): Promise<Server> {
    await ready(redis, this.#invocation.options.timeout);
    return new Server(redis);
  }

  async #examine(server: Server): Promise<void> {
    const { deadline } = this.#source;
    const { user } = this.#invocation.options;
    const connectTo = (host: string, port: number) => this.#connect(server.redis, host, port);
    await this.#check('role', server, () => checkRole(server));
    await this.#check('memory', server, () => checkMemory(server));
    for (const prefix of prefixesOf(this.#source)) {
      await this.#check('rights', server, () => checkRights(server, { user, prefix }));
    }
    await this.#check('round-trip', server, () => checkRoundTrip(server, deadline));
    await this.#check('scripts', server, () => checkScripts(server));
    await this.#check('slow-log', server, () => checkSlowLog(server, deadline));
    await this.#check('clock', server, () => checkClock(server, connectTo));
  }

  async #examineCluster(servers: readonly Server[], cluster: Cluster): Promise<void> {
    const [first] = servers;
    await this.#check('primaries', undefined, async () => checkPrimaries(servers, cluster));
    await this.#check('slots', undefined, () => checkSlots(first!, servers.length));
    await this.#check('full-coverage', undefined, () => checkCoverage(first!));
    await this.#check('replicas', undefined, async () => checkReplicas(servers, cluster));
    await this.#check('skew', undefined, () => checkSkew(servers));
  }

  /** A refused command leaves its check open. A server that is gone ends the examination. */
  async #check(name: string, server: Server | undefined, run: () => Promise<Finding | Finding[]>): Promise<void> {
    this.#invocation.terminal.progress(`${server?.name ?? ''} ${name} …`);
    const found = await run().catch((error: Error) => {
      if (error.name === 'ReplyError') return uncheckedOf(name, error.message, this.#user());
      throw unreachable(`Redis stopped answering: ${error.message}`);
    });
    for (const finding of [found].flat()) this.#findings.push({ ...finding, server: server?.name });
  }

  #user(): string {
    const [first] = this.#source.primaries();
    return first!.options.username ?? 'default';
  }

  async #connect(like: Redis, host: string, port: number): Promise<Redis> {
    const { username, password, tls } = like.options;
    const { timeout } = this.#invocation.options;
    const redis = new Redis({
      host,
      port,
      ...(username && { username }),
      ...(password && { password }),
      ...(tls && { tls }),
      connectTimeout: timeout,
      commandTimeout: timeout,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      lazyConnect: true,
    });
    redis.on('error', () => undefined);
    await redis.connect();
    return redis;
  }
}

import { startRedis } from '../../../test/support/redis.js';
import type { DriveVerbs } from '../drive/process.js';
import { clients } from '../http/http-contestant.js';
import { askAsEach } from '../http/ask-as-each.js';
import { autocannon } from '../http/autocannon.js';
import { httpContestants } from '../http/index.js';
import type { HttpVerbs } from '../http/server-process.js';
import { wrk } from '../http/wrk.js';
import { RedisMeter } from '../measure/redis-meter.js';
import { median, spread } from '../measure/statistics.js';
import { startChild, type Child, type ChildOptions } from '../processes/child.js';
import { coresOf, pin, type Cores } from '../processes/cores.js';
import { programOf } from './source-tree.js';
import type { CheckRow, HttpRow, TrickRow, UnsentRow } from './trick-rows.js';

export interface DuelOptions {
  /** What is measured in turns: rows of one kind. */
  readonly rows: readonly [TrickRow, TrickRow];
  /** The folder of sources of each. */
  readonly folders: readonly [string, string];
  readonly rounds: number;
  /** Processes of each, one after the other: two processes of one code are seldom equally fast. */
  readonly passes: number;
}

/** The second to the first: medians of ratios of turns that follow each other. */
export interface DuelResult {
  readonly rate: number;
  readonly spread: number;
  readonly p50: number;
  /** CPU of the process a check. */
  readonly cpu: number;
  readonly redisCpu: number;
}

interface Turn {
  readonly rate: number;
  readonly p50: number;
  readonly cpu: number;
  readonly redisCpu: number;
}

interface Contestant {
  turn(milliseconds: number): Promise<Turn>;
  end(): Promise<void>;
}

const DAY = 86_400_000;
const SLICE = 100;
const HTTP_SLICE = 300;
const LEAD_IN = 100;
const WARM_CHECKS = 150_000;
const WARM_HTTP_MS = 3_000;
const OUT_OF_REACH = 1_000_000;
const ATTACKED = 200;

/** Measures a row with two versions of the sources, or two rows, in turns, in one run. */
export async function duel({ rows, folders, rounds, passes }: DuelOptions): Promise<DuelResult> {
  const cores = coresOf();
  const server = await startRedis();
  const meter = await RedisMeter.on(server.port);
  if (cores) pin(server.process.pid!, cores.redis);
  const ratios: DuelResult[] = [];
  try {
    for (let pass = 0; pass < passes; pass += 1) {
      await meter.flush();
      const arena: Arena = { meter, cores, port: server.port, url: `redis://127.0.0.1:${server.port}` };
      const [one, other] = await Promise.all([
        open(arena, rows[0], folders[0], 0),
        open(arena, rows[1], folders[1], 1),
      ]);
      const milliseconds = rows[0].kind === 'http' ? HTTP_SLICE : SLICE;
      try {
        let before = await one.turn(milliseconds);
        for (let round = 0; round < rounds; round += 1) {
          const turn = await other.turn(milliseconds);
          const after = await one.turn(milliseconds);
          ratios.push(toRatio(turn, before, after));
          before = after;
        }
      } finally {
        await Promise.all([one.end(), other.end()]);
      }
    }
  } finally {
    meter.end();
    await server.stop();
  }
  const of = (name: keyof Turn) => median(ratios.map((each) => each[name]));
  const rates = ratios.map(({ rate }) => rate);
  return { rate: of('rate'), spread: spread(rates), p50: of('p50'), cpu: of('cpu'), redisCpu: of('redisCpu') };
}

function toRatio(turn: Turn, before: Turn, after: Turn): DuelResult {
  const of = (name: keyof Turn) => turn[name] / ((before[name] + after[name]) / 2);
  return { rate: of('rate'), spread: NaN, p50: of('p50'), cpu: of('cpu'), redisCpu: of('redisCpu') };
}

interface Arena {
  readonly meter: RedisMeter;
  readonly cores: Cores | undefined;
  readonly port: number;
  readonly url: string;
}

function open(arena: Arena, row: TrickRow, folder: string, place: number): Promise<Contestant> {
  if (row.kind === 'unsent') return openUnsent(arena, row, folder);
  return row.kind === 'http' ? openServer(arena, row, folder, place) : openDriver(arena, row, folder, place);
}

function childOptions({ cores }: Arena, folder: string): ChildOptions {
  return { memory: 6_144, env: { SLUICE_SOURCES: folder, NODE_ENV: 'production' }, cores: cores?.contestants };
}

async function openDriver(arena: Arena, row: CheckRow, folder: string, place: number): Promise<Contestant> {
  const { meter, port } = arena;
  const { contestant, workload, inFlight, kind } = row;
  const child: Child<DriveVerbs> = startChild(programOf(folder, 'drive/process.ts'), childOptions(arena, folder));
  const limit = workload.kind === 'attack' ? ATTACKED : OUT_OF_REACH;
  const isTimed = kind === 'redis';
  const order = { inFlight, milliseconds: SLICE, timed: isTimed };
  await child.call.open({
    contestant,
    port: isTimed ? port : 0,
    limit,
    window: DAY,
    prefix: `t${place}`,
    maxKeys: 1_000_000,
    workload,
    seed: 1,
  });
  if (workload.kind === 'attack') await child.call.spend(contestant, limit);
  for (let checks = 0; checks < WARM_CHECKS;) {
    checks += (await child.call.slice(contestant, { ...order, inFlight: isTimed ? 64 : 1 })).checks;
  }
  await child.call.slice(contestant, order);
  return {
    async turn(milliseconds) {
      await child.call.collect();
      const { value: slice, used } = await meter.around(() => child.call.slice(contestant, { ...order, milliseconds }));
      const { checks, seconds, cpu, p50 } = slice;
      return { rate: checks / seconds, p50, cpu: cpu / checks, redisCpu: used.cpu / checks };
    },
    end: () => child.end(),
  };
}

async function openServer(arena: Arena, row: HttpRow, folder: string, database: number): Promise<Contestant> {
  const { meter, cores, port } = arena;
  const { contestant: name, framework } = row;
  const { denied } = httpContestants.find((each) => each.name === name && each.framework === framework)!;
  const child: Child<HttpVerbs> = startChild(programOf(folder, 'http/server-process.ts'), childOptions(arena, folder));
  const limit = denied ? 1 : OUT_OF_REACH * clients.length;
  const at = await child.call.listen({ contestant: name, framework, limit, window: DAY, port, database });
  const url = `http://127.0.0.1:${at}/`;
  const generator = wrk(cores?.load) ?? autocannon(cores?.load);
  if (denied) while ((await askAsEach(url)) > 0);
  const end = performance.now() + WARM_HTTP_MS;
  while (performance.now() < end) await generator.run(url, HTTP_SLICE);
  return {
    async turn(milliseconds) {
      await generator.run(url, LEAD_IN);
      await child.call.collect();
      const before = await child.call.usage();
      const { value: load, used } = await meter.around(() => generator.run(url, milliseconds));
      const after = await child.call.usage();
      const { answered, seconds, p50 } = load;
      return { rate: answered / seconds, p50, cpu: (after.cpu - before.cpu) / answered, redisCpu: used.cpu / answered };
    },
    async end() {
      await generator.end();
      await child.end();
    },
  };
}

async function openUnsent(arena: Arena, { contestant, framework }: UnsentRow, folder: string): Promise<Contestant> {
  const child: Child<HttpVerbs> = startChild(programOf(folder, 'http/server-process.ts'), childOptions(arena, folder));
  const numbers = { limit: OUT_OF_REACH, window: DAY, port: arena.port, database: 0 };
  await child.call.listen({ contestant, framework, ...numbers, identity: 'address' });
  await child.call.openUnsent();
  await child.call.answerUnsentFor(WARM_HTTP_MS);
  return {
    async turn(milliseconds) {
      await child.call.collect();
      const before = await child.call.usage();
      const { answered } = await child.call.answerUnsentFor(milliseconds);
      const cpu = ((await child.call.usage()).cpu - before.cpu) / answered;
      return { rate: 1e6 / cpu, p50: NaN, cpu, redisCpu: NaN };
    },
    end: () => child.end(),
  };
}

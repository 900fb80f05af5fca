import { once } from 'node:events';
import { join } from 'node:path';
import { coresOf, pin } from '../../bench/src/processes/cores.js';
import { root } from '../../scripts/root.mjs';
import { fork } from '../support/child.js';
import type { CalmAnswer, CalmQuestion } from './calm-server.js';
import type { Entry } from './contestant.js';
import { Flood } from './flood.js';

const ROUNDS = 60;
const WARM = 15;
/** Requests of a slice. */
const REQUESTS = 100;

/** Microseconds of processor for a request that works for nothing. */
export interface CalmCost {
  readonly shedding: number;
  readonly bare: number;
  /** The same as `bare`, measured in the same way: what the two differ by, the measurement cannot tell. */
  readonly control: number;
}

/**
 * What a shedder costs in calm, which remembers requests for queues or does not. A server with it and two without, all in one process, are asked in turns: in short slices of
 * which the lowest fifth counts, so that no other program and no collection of garbage is in it.
 */
export async function calmCost({ server, connections }: Entry, queues: boolean): Promise<CalmCost> {
  const child = fork(join(root, 'test', 'overload', 'calm-server.ts'), [server, ...(queues ? ['queues'] : [])], {
    execArgv: ['--import', join(root, 'test', 'tools', 'typescript.mjs')],
  });
  const [ports] = (await once(child, 'message')) as [readonly number[]];
  const cores = coresOf();
  if (cores) {
    pin(process.pid, cores.load);
    pin(child.pid!, cores.contestants);
  }
  const floods = ports.map((port) => new Flood({ address: { port }, transport: 'tcp', connections }));
  const slices = ports.map((): number[] => []);
  const used = async (turn: number) => {
    const question: CalmQuestion = { turn };
    child.send(question);
    const [answer] = (await once(child, 'message')) as [CalmAnswer];
    return answer.used;
  };
  for (let round = 0; round < WARM + ROUNDS; round += 1) {
    // None is always the first after another.
    for (const turn of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
      const before = await used(turn);
      await askAll(floods[turn]!);
      const cost = ((await used(turn)) - before) / REQUESTS;
      if (round >= WARM) slices[turn]!.push(cost);
    }
  }
  for (const flood of floods) flood.close();
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  const [shedding, bare, control] = slices.map(lowestFifth);
  return { shedding: shedding!, bare: bare!, control: control! };
}

/** One after the other: with a second client, connections would wait for each other, which is no calm. */
async function askAll(flood: Flood): Promise<void> {
  for (let request = 0; request < REQUESTS; request += 1) await flood.ask('sheddable');
}

/** The mean of it. */
function lowestFifth(costs: readonly number[]): number {
  const lowest = costs.toSorted((one, other) => one - other).slice(0, Math.ceil(costs.length / 5));
  return lowest.reduce((sum, cost) => sum + cost, 0) / lowest.length;
}

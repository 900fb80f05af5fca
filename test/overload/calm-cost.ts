import { Contestant, type Entry } from './contestant.js';

const ROUNDS = 9;
const REQUESTS = 2_000;
/** Clients that wait for each answer: no connection waits. */
const CLIENTS = 2;

/**
 * Microseconds of processor that a server takes for a request that works for nothing, with a shedder and without one: the
 * medians of rounds in turns, which other programs change little.
 */
export async function calmCost(entry: Entry): Promise<{ readonly shedding: number; readonly bare: number }> {
  const shedding = await Contestant.start(entry, { work: 0 });
  const bare = await Contestant.start(entry, { work: 0, sheds: 'never' });
  const costs: [number[], number[]] = [[], []];
  for (const each of [shedding, bare]) await costOf(each);
  for (let round = 0; round < ROUNDS; round += 1) {
    costs[0].push(await costOf(shedding));
    costs[1].push(await costOf(bare));
  }
  for (const each of [shedding, bare]) await each.stop();
  const [one, other] = costs.map((list) => list.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
  return { shedding: one!, bare: other! };
}

async function costOf(contestant: Contestant): Promise<number> {
  const before = await contestant.state();
  let left = REQUESTS;
  const client = async () => {
    while ((left -= 1) >= 0) await contestant.flood.ask('sheddable');
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const after = await contestant.state();
  return (after.used - before.used) / REQUESTS;
}

import { table } from '../tools/table.js';
import { runLoop } from './loop-model.js';
import { percent } from './row-text.js';
import { CONNECTIONS, PRIORITIES } from './terms.js';

/** What the model of a process gives: with both kinds of connections, and with a database that requests wait for. */
export async function modelTable(loads: readonly number[]): Promise<string> {
  const rows: string[][] = [];
  for (const load of loads) {
    for (const connections of CONNECTIONS) {
      for (const database of [0, 50]) {
        const { came, served, goodput, calmAfter } = await runLoop({ load, database, connections });
        const parts = PRIORITIES.map((each) => percent(served[each] / came[each]));
        const name = `${load} ×, ${connections} connections, database ${database} ms`;
        rows.push([name, ...parts, percent(goodput), `${calmAfter.toFixed(0)} ms`]);
      }
    }
  }
  return table([['load', ...PRIORITIES, 'of what refusals leave', 'level 0 after'], ...rows]);
}

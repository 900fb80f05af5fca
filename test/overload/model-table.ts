import { table } from '../tools/table.js';
import { runLoop } from './loop-model.js';
import { percent } from './row-text.js';
import { PRIORITIES } from './terms.js';

/** What the model of a process gives, with and without a database that requests wait for. */
export function modelTable(loads: readonly number[]): string {
  const rows = loads.flatMap((load) =>
    [0, 20, 50].map((database) => {
      const { came, served, goodput, calmAfter } = runLoop({ load, database });
      const parts = PRIORITIES.map((each) => percent(served[each] / came[each]));
      return [`${load} ×, database ${database} ms`, ...parts, percent(goodput), `${calmAfter.toFixed(0)} ms`];
    }),
  );
  return table([['load', ...PRIORITIES, 'goodput', 'calm after'], ...rows]);
}

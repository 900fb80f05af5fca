import { parseArgs } from 'node:util';
import { duel } from './duel.js';
import { copySources, type SourceTreeOptions } from './source-tree.js';
import { isTrickRow, trickRows, type TrickRowName } from './trick-rows.js';
import { readTricks } from './trick.js';

const HELP = `npm run tool -- tricks                       lists the tricks
npm run tool -- tricks NAME...               measures each on its rows, on and off in one run
npm run tool -- tricks --against REVISION    measures this tree against a revision, with the contestants of each
npm run tool -- tricks --beside ROW          measures --rows against another row

--rows NAME,NAME   rows to measure instead
--rounds NUMBER    turns of each in a pass; 12 by default
--passes NUMBER    processes of each, one after the other; 2 by default

Rows: ${Object.keys(trickRows).join(', ')}`;

interface Comparison {
  readonly name: string;
  readonly rows: readonly TrickRowName[];
  /** The row that each is measured against. @default itself */
  readonly beside?: TrickRowName;
  readonly on: SourceTreeOptions;
  readonly off: SourceTreeOptions;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    beside: { type: 'string' },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    passes: { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h' },
  },
});
const comparisons = planned();
if (values.help || comparisons === undefined) {
  for (const { name, title, rows } of readTricks()) console.log(`${name}: ${title} [${rows.join(', ')}]`);
  console.log(`\n${HELP}`);
} else {
  console.log('The second as a part of the first. Without a mechanism below 1: the mechanism pays.\n');
  console.log(
    '| mechanism | row | rate | ± | p50 | CPU of the process | CPU of Redis |\n|---|---|---:|---:|---:|---:|---:|',
  );
  for (const each of comparisons) await measure(each);
}

function planned(): readonly Comparison[] | undefined {
  const rows = values.rows?.split(',').filter(isTrickRow);
  if (values.beside !== undefined) {
    if (!isTrickRow(values.beside)) throw new Error(`there is no row "${values.beside}"`);
    return [{ name: `beside ${values.beside}`, rows: rows ?? [], beside: values.beside, on: {}, off: {} }];
  }
  if (values.against !== undefined) {
    return [
      {
        name: `this tree against ${values.against}`,
        rows: rows ?? (Object.keys(trickRows) as TrickRowName[]),
        on: { revision: values.against },
        off: {},
      },
    ];
  }
  if (positionals.length === 0) return undefined;
  const tricks = readTricks();
  return positionals.map((name) => {
    const trick = tricks.find((each) => each.name === name);
    if (!trick) throw new Error(`there is no trick "${name}"; npm run tool -- tricks lists them`);
    return { name, rows: rows ?? trick.rows, on: {}, off: { patch: trick.file } };
  });
}

async function measure({ name, rows, beside, on, off }: Comparison): Promise<void> {
  const trees = [copySources(on), copySources(off)] as const;
  try {
    for (const row of rows) {
      const result = await duel({
        rows: [trickRows[beside ?? row], trickRows[row]],
        folders: [trees[0].folder, trees[1].folder],
        rounds: Number(values.rounds),
        passes: Number(values.passes),
      });
      const { rate, spread, p50, cpu, redisCpu } = result;
      console.log(
        `| ${name} | ${row} | ${rate.toFixed(3)} | ${Math.round(spread * 100)} % | ${p50.toFixed(3)} | ${cpu.toFixed(3)} | ${redisCpu.toFixed(3)} |`,
      );
    }
  } finally {
    for (const tree of trees) tree.remove();
  }
}

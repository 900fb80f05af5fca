import { startRedis } from '../../test/support/redis.js';
import type { BenchArguments } from './arguments.js';
import { environment } from './environment.js';
import { Drivers } from './measure/drivers.js';
import { RedisMeter } from './measure/redis-meter.js';
import { addressesPart } from './parts/addresses.js';
import { batchesPart } from './parts/batches.js';
import type { Bench, Part, PartName, PartResult } from './parts/bench.js';
import { bytesPart } from './parts/bytes.js';
import { coldPart } from './parts/cold.js';
import { httpPart } from './parts/http.js';
import { importsPart } from './parts/imports.js';
import { insidePart } from './parts/inside.js';
import { keysPart } from './parts/keys.js';
import { lightPart } from './parts/light.js';
import { limitersPart } from './parts/limiters.js';
import { linesPart } from './parts/lines.js';
import { memoryPart } from './parts/memory.js';
import { observedPart } from './parts/observed.js';
import { overloadPart } from './parts/overload.js';
import { outagePart } from './parts/outage.js';
import { overridesPart } from './parts/overrides.js';
import { quotasPart } from './parts/quotas.js';
import { permitsPart } from './parts/permits.js';
import { processesPart } from './parts/processes.js';
import { redisPart } from './parts/redis.js';
import { scriptsPart } from './parts/scripts.js';
import { tiersPart } from './parts/tiers.js';
import { unsentPart } from './parts/unsent.js';
import { coresOf, pin } from './processes/cores.js';
import { Progress } from './progress.js';
import type { Report } from './report/report.js';

const PARTS: Readonly<Record<PartName, Part>> = {
  redis: redisPart,
  tiers: tiersPart,
  light: lightPart,
  scripts: scriptsPart,
  bytes: bytesPart,
  memory: memoryPart,
  limiters: limitersPart,
  addresses: addressesPart,
  outage: outagePart,
  observed: observedPart,
  overrides: overridesPart,
  quotas: quotasPart,
  permits: permitsPart,
  http: httpPart,
  unsent: unsentPart,
  inside: insidePart,
  overload: overloadPart,
  lines: linesPart,
  cold: coldPart,
  imports: importsPart,
  processes: processesPart,
  keys: keysPart,
  batches: batchesPart,
};

/** Seconds that a run is going to take, roughly. */
export function plannedSeconds({ mode, parts }: Pick<BenchArguments, 'mode' | 'parts'>): number {
  return parts.reduce((seconds, part) => seconds + PARTS[part].plan(mode), 0);
}

/** Runs the parts on a Redis of their own. */
export async function measureAll({ mode, parts, seed }: BenchArguments): Promise<Report> {
  const began = Date.now();
  const cores = coresOf();
  const server = await startRedis();
  const redis = server.process.pid!;
  const meter = await RedisMeter.on(server.port);
  const drivers = new Drivers(mode.together, cores);
  const progress = new Progress(process.stderr);
  const bench: Bench = { mode, port: server.port, redis, cores, meter, drivers, progress, seed };
  const results: PartResult[] = [];
  try {
    if (cores) pin(redis, cores.redis);
    const where = await environment(meter.client, cores);
    for (const part of parts) results.push(await PARTS[part].run(bench));
    return {
      mode: mode.name,
      parts,
      environment: where,
      generator: results.map(({ generator }) => generator).find((name) => name !== undefined),
      minutes: (Date.now() - began) / 60_000,
      tables: results.flatMap(({ tables }) => tables),
      footprints: results.flatMap(({ footprints = [] }) => footprints),
    };
  } finally {
    progress.end();
    meter.end();
    await drivers.end();
    await server.stop();
  }
}

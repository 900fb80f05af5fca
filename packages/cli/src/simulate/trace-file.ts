import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { usage } from '../failure/failure.js';
import { MAX_ARRIVALS, type Arrival } from './arrivals.js';

interface Traces {
  readonly traced: readonly Arrival[];
  readonly texts: readonly string[];
}

/** The parts of `--load`: the requests of those that name a file, and the texts of the others. @throws Failure */
export async function readTraces(parts: readonly string[]): Promise<Traces> {
  const traces = await Promise.all(parts.filter((part) => existsSync(part)).map(readTrace));
  return { traced: traces.flat(), texts: parts.filter((part) => !existsSync(part)) };
}

/**
 * The requests of a file, one a line: seconds since the start, then perhaps a client and a cost: `12.5 alice 3`. Empty
 * lines and lines that begin with # are skipped.
 *
 * @throws Failure for another line
 */
async function readTrace(file: string): Promise<readonly Arrival[]> {
  const clients = new Map<string, number>();
  const arrivals: Arrival[] = [];
  const lines = (await readFile(file, 'utf8')).split('\n');
  if (lines.length > MAX_ARRIVALS) throw usage(`--load ${file}: more than ${MAX_ARRIVALS} requests`);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [seconds = '', name = '', units = '1', ...more] = line.trim().split(/[\s,]+/);
    const [time, cost] = [Math.round(Number(seconds) * 1e6) / 1e3, Number(units)];
    if (seconds === '' || !(time >= 0) || !Number.isSafeInteger(cost) || cost < 0 || more.length > 0) {
      throw usage(`--load ${file}:${index + 1}: write seconds, and perhaps a client and a cost, such as 12.5 alice 3`);
    }
    const client = clients.get(name) ?? clients.size;
    clients.set(name, client);
    arrivals.push({ time, client, cost });
  }
  return arrivals;
}

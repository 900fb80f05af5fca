import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Of a second. Linux counts in these, whatever its clock is. */
const TICKS = 100;

/**
 * What this process and those that it has started and that have ended have taken so far, in seconds of CPU time. Undefined
 * where the system does not tell it.
 */
export function cpuTime() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program is in parentheses, and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (/** @type {number} */ place) => Number(fields[place]) / TICKS;
    return { user: seconds(11) + seconds(13), system: seconds(12) + seconds(14) };
  } catch {
    return undefined;
  }
}

const load = () => Number(loadavg()[0]).toFixed(1);

/** Other programs make the wall clock say little. */
const loadBefore = load();

/** What the command has cost since its process began, as a line. */
export function costText() {
  const cpu = cpuTime();
  const began = process.env['SLUICE_CI_BEGAN'];
  const seconds = (/** @type {number} */ number) => `${number.toFixed(1)} s`;
  const parts = [
    `${seconds(performance.now() / 1e3)} of wall clock`,
    ...(cpu
      ? [`${seconds(cpu.user + cpu.system)} of CPU (${seconds(cpu.user)} user, ${seconds(cpu.system)} system)`]
      : []),
    ...(began ? [`${seconds(Date.now() / 1e3 - Number(began))} since .ci/run began`] : []),
    `load ${loadBefore} at the start and ${load()} at the end`,
  ];
  return `Cost: ${parts.join(', ')}.`;
}

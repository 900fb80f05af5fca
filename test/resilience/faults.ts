import { clockFaults } from './clock-faults.js';
import { clusterFaults } from './cluster-faults.js';
import type { Fault } from './fault.js';
import { refusalFaults } from './refusal-faults.js';
import { sentinelFaults } from './sentinel-faults.js';
import { serverFaults } from './server-faults.js';
import { wireFaults } from './wire-faults.js';

/** What goes wrong where several servers stand for one. */
export const groupFaults: readonly Fault[] = [...sentinelFaults, ...clusterFaults];

/** Everything that goes wrong, in the order of the table. */
export const faults: readonly Fault[] = [
  ...serverFaults,
  ...wireFaults,
  ...refusalFaults,
  ...clockFaults,
  ...groupFaults,
];

const WITH_ANY_CLIENT = ['down at start', 'killed', 'stopped (SIGSTOP)', 'slow by 200 ms', 'black hole', 'half-open'];

/** Those that are run with a caller's client as well, whose settings nobody has thought about. */
export const clientFaults: readonly Fault[] = faults.filter(({ name }) => WITH_ANY_CLIENT.includes(name));

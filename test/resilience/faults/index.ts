import { clockFaults } from './clock-faults.js';
import { clusterFaults } from './cluster-faults.js';
import type { Fault } from './fault.js';
import { refusalFaults } from './refusal-faults.js';
import { sentinelFaults } from './sentinel-faults.js';
import { serverFaults } from './server-faults.js';
import { wireFaults } from './wire-faults.js';

export { clusterFaults, refusalFaults, sentinelFaults, serverFaults, wireFaults };

/** Faults of several servers that stand for one. */
export const groupFaults: readonly Fault[] = [...sentinelFaults, ...clusterFaults];

/** All faults, in the order of the table. */
export const faults: readonly Fault[] = [
  ...serverFaults,
  ...wireFaults,
  ...refusalFaults,
  ...clockFaults,
  ...groupFaults,
];

const WITH_ANY_CLIENT = ['down at start', 'killed', 'stopped (SIGSTOP)', 'slow by 200 ms', 'black hole', 'half-open'];

/** Faults that also run with a client of default settings. */
export const clientFaults: readonly Fault[] = faults.filter(({ name }) => WITH_ANY_CLIENT.includes(name));

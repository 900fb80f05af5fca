import { groupBreaks, groupClaims, queueBreaks } from './group-over-two-slots.mjs';
import { leaseBreaks, leaseBreaksWithoutFault, leaseClaims, windowBreaks } from './lease.mjs';
import { permitBreaks, permitBreaksOfTwo, permitClaims } from './permits.mjs';

/**
 * A model, and the bounds within which every state of it is examined.
 *
 * @typedef {object} Model
 * @property {string} name
 * @property {string} file in this folder
 * @property {Readonly<Record<string, number>>} bounds macros of the file
 * @property {Readonly<Record<string, string>>} claims macros of the file, and what each says
 * @property {readonly string[]} [flags] of the compiler
 * @property {readonly Break[]} breaks must each violate their claim within these bounds, and no other claim
 */

/**
 * A protocol that is broken in one place.
 *
 * @typedef {object} Break
 * @property {string} name what it does then
 * @property {string} claim that it violates
 * @property {readonly string[]} [with] claims that it violates, too
 * @property {string} text a text that the model has once
 * @property {string} replacement
 */

/** @type {readonly Model[]} */
export const models = [
  {
    name: 'group over two slots',
    file: 'group-over-two-slots.pml',
    bounds: { REQUESTS: 2, FAULTS: 2 },
    claims: groupClaims,
    breaks: groupBreaks,
  },
  {
    name: 'group over a slot and a queue',
    file: 'group-over-two-slots.pml',
    bounds: { REQUESTS: 3, FAULTS: 1, QUEUE: 1 },
    claims: groupClaims,
    breaks: queueBreaks,
  },
  {
    name: 'permits of two processes',
    file: 'permits.pml',
    bounds: { PROCESSES: 2, REQUESTS: 1, LIMIT: 1, FAULTS: 1, TICKS: 3 },
    claims: permitClaims,
    flags: ['-DNOREDUCE'],
    breaks: [],
  },
  {
    name: 'permits of one process',
    file: 'permits.pml',
    bounds: { PROCESSES: 1, REQUESTS: 2, LIMIT: 1, FAULTS: 2, TICKS: 3 },
    claims: permitClaims,
    flags: ['-DNOREDUCE'],
    breaks: permitBreaksOfTwo,
  },
  {
    name: 'permits of one process, one fault',
    file: 'permits.pml',
    bounds: { PROCESSES: 1, REQUESTS: 2, LIMIT: 1, FAULTS: 1, TICKS: 3 },
    claims: permitClaims,
    flags: ['-DNOREDUCE'],
    breaks: permitBreaks,
  },
  {
    name: 'lease of one process',
    file: 'lease.pml',
    bounds: { PROCESSES: 1, RUNNING: 2, REQUESTS: 3, LIMIT: 2, UNITS: 2, FAULTS: 1 },
    claims: leaseClaims,
    breaks: leaseBreaks,
  },
  {
    name: 'lease of one process, without a fault',
    file: 'lease.pml',
    bounds: { PROCESSES: 1, RUNNING: 2, REQUESTS: 3, LIMIT: 2, UNITS: 2, FAULTS: 0 },
    claims: leaseClaims,
    breaks: leaseBreaksWithoutFault,
  },
  {
    name: 'lease of one process, smaller than the limit',
    file: 'lease.pml',
    bounds: { PROCESSES: 1, RUNNING: 1, REQUESTS: 5, LIMIT: 2, UNITS: 1, FAULTS: 1 },
    claims: leaseClaims,
    breaks: windowBreaks,
  },
  {
    name: 'lease of two processes',
    file: 'lease.pml',
    bounds: { PROCESSES: 2, RUNNING: 1, REQUESTS: 3, LIMIT: 2, UNITS: 2, FAULTS: 0 },
    claims: leaseClaims,
    breaks: [],
  },
];

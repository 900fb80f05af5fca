import type { Role } from './role.js';
import type { Schema } from './schema.js';
import type { ANSWERS } from './answers.js';
import { BODIES } from './bodies.js';

/** A route of the API. */
export interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly role: Role;
  readonly summary: string;
  readonly description?: string;
  /** Of a POST. */
  readonly body?: Schema;
  /** What it answers. Others answer something else than JSON. */
  readonly answer?: keyof typeof ANSWERS;
  readonly statuses?: readonly (keyof typeof STATUSES)[];
}

/** Refusals of requests that were admitted. */
export const STATUSES = {
  400: 'The body is no JSON object, or has a mistake, which `error` names.',
  403: 'The role of the caller does not allow this or not so much, or the request comes from a page of another site.',
  404: 'There is no such client or tier, or an entry is no longer in the list.',
  408: 'The body has not come within 10 seconds.',
  409: 'The id names another act.',
  413: 'The body has more than 8 KiB.',
  415: 'The body is not `application/json` in UTF-8, or it is compressed.',
  503: 'The store does not answer: repeat the request with the same id.',
} as const;

const OF_CHANGES = [400, 403, 404, 408, 409, 413, 415, 503] as const;
const OF_READS = [400, 403, 404, 408, 413, 415, 503] as const;
const OF_GETS = [403] as const;

const BOUNDS =
  'So does what is beyond the option `support`, by default 90 days and ten times the limit of the tier, and to replace or end such an override.';

/** All routes below `api/`, in the order of the reference. The router, the OpenAPI document and the checks of bodies are made of them. */
export const OPERATIONS = [
  { name: 'openapi.json', method: 'GET', role: 'read', summary: 'This document.', statuses: OF_GETS },
  {
    name: 'state',
    method: 'GET',
    role: 'read',
    summary: 'Traffic, tiers, lists and health of the process.',
    answer: 'State',
    statuses: OF_GETS,
  },
  {
    name: 'events',
    method: 'GET',
    role: 'read',
    summary: 'The same each second, as server-sent events.',
    statuses: [403, 503],
  },
  {
    name: 'look',
    method: 'POST',
    role: 'read',
    summary: 'Find a client, see whether its next request fits, and why not.',
    body: BODIES.look,
    answer: 'Look',
    statuses: OF_READS,
  },
  {
    name: 'history',
    method: 'POST',
    role: 'read',
    summary: 'Who has changed what, when and why.',
    description:
      'The last 1 000 acts on the store, newest first; with a client the last 50 acts on it, which are stored beside its keys.',
    body: BODIES.history,
    answer: 'Acts',
    statuses: OF_READS,
  },
  {
    name: 'overrides',
    method: 'GET',
    role: 'read',
    summary: 'The overrides in force.',
    answer: 'Overrides',
    statuses: OF_GETS,
  },
  {
    name: 'override',
    method: 'POST',
    role: 'support',
    summary: 'Give a client another limit in a tier, or take that back.',
    description: `An override without an end needs the role \`admin\`. ${BOUNDS} It answers what \`look\` answers then.`,
    body: BODIES.override,
    answer: 'Look',
    statuses: OF_CHANGES,
  },
  {
    name: 'pause',
    method: 'POST',
    role: 'support',
    summary: 'Deny all requests of a client in a tier until a time.',
    description: `It is an override with a limit of 0. Without an end it needs the role \`admin\`. ${BOUNDS}`,
    body: BODIES.pause,
    answer: 'Look',
    statuses: OF_CHANGES,
  },
  {
    name: 'release',
    method: 'POST',
    role: 'support',
    summary: 'End a pause.',
    description: 'A pause that `support` could not set needs the role `admin`.',
    body: BODIES.release,
    answer: 'Look',
    statuses: OF_CHANGES,
  },
  {
    name: 'forget',
    method: 'POST',
    role: 'support',
    summary: 'Delete what a client has used, so that its next request fits.',
    description:
      'A balance, which a client has paid for, is deleted only by the name of its tier, which needs the role `admin`.',
    body: BODIES.forget,
    answer: 'Forgotten',
    statuses: OF_CHANGES,
  },
  {
    name: 'credit',
    method: 'POST',
    role: 'support',
    summary: 'Add units to the balance of a client, once for each id.',
    description: 'More units than the option `support` allows, 1 000 000 by default, need the role `admin`.',
    body: BODIES.credit,
    answer: 'Balance',
    statuses: OF_CHANGES,
  },
  {
    name: 'debit',
    method: 'POST',
    role: 'admin',
    summary: 'Take units from the balance of a client, once for each id.',
    body: BODIES.debit,
    answer: 'Balance',
    statuses: OF_CHANGES,
  },
] as const satisfies readonly Operation[];

export type OperationName = (typeof OPERATIONS)[number]['name'];

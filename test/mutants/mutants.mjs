import { adapters } from './adapters.mjs';
import { algorithms } from './algorithms.mjs';
import { cli } from './cli.mjs';
import { credits } from './credits.mjs';
import { dashboard } from './dashboard.mjs';
import { emitters } from './emitters.mjs';
import { http } from './http.mjs';
import { limiter } from './limiter.mjs';
import { lines } from './lines.mjs';
import { permits } from './permits.mjs';
import { policies } from './policies.mjs';
import { redis } from './redis.mjs';
import { queues } from './queues.mjs';
import { server } from './server.mjs';
import { shed } from './shed.mjs';
import { stores } from './stores.mjs';
import { usage } from './usage.mjs';

/**
 * A fault that the specs must catch.
 *
 * @typedef {object} Mutant
 * @property {string} name what the product does with the fault
 * @property {string} file the product file
 * @property {string} text a text that the file has once
 * @property {string} replacement the text with the fault
 * @property {readonly string[]} specs the cheapest specs that must fail, as paths for jest
 */

/** @type {readonly Mutant[]} */
export const mutants = [
  ...algorithms,
  ...credits,
  ...emitters,
  ...stores,
  ...permits,
  ...policies,
  ...redis,
  ...usage,
  ...limiter,
  ...http,
  ...lines,
  ...queues,
  ...server,
  ...shed,
  ...adapters,
  ...dashboard,
  ...cli,
];

import type { Attack } from './attack.js';
import { addressAttacks } from './rows/addresses.js';
import { costAttacks } from './rows/costs.js';
import { expressAttacks } from './rows/express.js';
import { frameworkAttacks } from './rows/frameworks.js';
import { limiterAttacks } from './rows/limiters.js';
import { migrationAttacks } from './rows/migrations.js';

/** The attacks on the programs of all guides. */
export const attacks: readonly Attack[] = [
  ...expressAttacks,
  ...frameworkAttacks,
  ...addressAttacks,
  ...costAttacks,
  ...limiterAttacks,
  ...migrationAttacks,
];

import type { Attack } from './attack.js';
import { addressAttacks } from './rows/addresses.js';
import { costAttacks } from './rows/costs.js';
import { expressAttacks } from './rows/express.js';
import { frameworkAttacks } from './rows/frameworks.js';
import { limiterAttacks } from './rows/limiters.js';
import { migrationAttacks } from './rows/migrations.js';
import { signInAttacks } from './rows/sign-in.js';

/** The attacks on the programs of the guides, by the name of their file in `rows`. */
export const attacksByFile: Readonly<Record<string, readonly Attack[]>> = {
  express: expressAttacks,
  frameworks: frameworkAttacks,
  addresses: addressAttacks,
  costs: costAttacks,
  limiters: limiterAttacks,
  migrations: migrationAttacks,
  'sign-in': signInAttacks,
};

export const attacks: readonly Attack[] = Object.values(attacksByFile).flat();

import type { Attack } from './attack.js';
import { addressAttacks } from './rows/addresses.js';
import { costAttacks } from './rows/costs.js';
import { expressAttacks } from './rows/express.js';
import { frameworkAttacks } from './rows/frameworks.js';
import { limiterAttacks } from './rows/limiters.js';
import { migrationAttacks } from './rows/migrations.js';
import { serverAttacks } from './rows/servers.js';
import { signInAttacks } from './rows/sign-in.js';

export const attacks: readonly Attack[] = [
  expressAttacks,
  frameworkAttacks,
  addressAttacks,
  costAttacks,
  limiterAttacks,
  migrationAttacks,
  serverAttacks,
  signInAttacks,
].flat();

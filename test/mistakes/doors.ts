import { gates } from './doors/gates.js';
import { identities } from './doors/identities.js';
import { limiters } from './doors/limiters.js';
import { policies } from './doors/policies.js';
import { redis } from './doors/redis.js';
import { stores } from './doors/stores.js';
import { tiers } from './doors/tiers.js';
import type { Door } from './door.js';

/** Every mistake in an option of core. A new option is a row. Those of adapters have specs beside their stack. */
export const doors: readonly Door[] = [
  ...policies,
  ...tiers,
  ...limiters,
  ...gates,
  ...identities,
  ...redis,
  ...stores,
];

import { ConfigError } from '@sluice/core';

import { GUARD_NAMES } from './guard-place.js';
import type { At } from './rate-limit-options.js';

/** A limit that no guard enforces would be none. */
export function unguarded(at: At): ConfigError {
  return new ConfigError(
    'OPTION_INVALID',
    'at',
    at,
    `${GUARD_NAMES[at]} must stand before what it limits: provide it as APP_GUARD, or name it in @UseGuards, got at "${at}" without it`,
  );
}

import { Catch, Inject, Optional, type ExceptionFilter } from '@nestjs/common';
import { warn } from '@sluice/http/adapter';

import { LIMIT_REGISTRY } from './registry-token.js';

/**
 * Warns of a decorated limit in an application without the module. Nest creates a filter at the start, and one that
 * catches nothing costs requests nothing.
 */
export class ModuleCheck implements ExceptionFilter<never> {
  constructor(registry: unknown) {
    if (registry !== undefined) return;
    warn(
      'SLUICE_NO_NEST_MODULE',
      '@RateLimit: no RateLimitModule is imported, so the decorated handlers have no limits: import RateLimitModule.forRoot() in the root module, and provide RateLimitGuard as APP_GUARD',
    );
  }

  catch(): void {}
}

// Called by hand, because the build emits no metadata of constructors. Nothing throws a ModuleCheck.
Catch(ModuleCheck)(ModuleCheck);
Inject(LIMIT_REGISTRY)(ModuleCheck, undefined, 0);
Optional()(ModuleCheck, undefined, 0);

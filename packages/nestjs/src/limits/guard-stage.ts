import { ConfigError } from '@sluice/core';

/** When a limit is checked: before authentication, or after it. */
export type GuardStage = (typeof GUARD_STAGES)[number];

export const GUARD_STAGES = ['entry', 'authenticated'] as const;

/** Marks the guards of this package. Registered, because the ESM and the CommonJS build must know each other's guards. */
export const GUARD_STAGE = Symbol.for('sluice.nestjs.guard-stage');

export const GUARD_NAMES: Readonly<Record<GuardStage, string>> = {
  entry: 'RateLimitGuard',
  authenticated: 'AuthenticatedRateLimitGuard',
};

/** The stage of a guard, given as a class or as an instance; undefined for guards of other packages. */
export function stageOf(guard: unknown): GuardStage | undefined {
  const marked: unknown = typeof guard === 'function' ? guard.prototype : guard;
  return (Object(marked) as { [GUARD_STAGE]?: GuardStage })[GUARD_STAGE];
}

/** The error for a limit that no guard enforces. */
export function notGuarded(stage: GuardStage): ConfigError {
  return new ConfigError(
    'OPTION_INVALID',
    'at',
    stage,
    `no ${GUARD_NAMES[stage]} enforces the limit at "${stage}": provide the guard as APP_GUARD or name it in @UseGuards`,
  );
}

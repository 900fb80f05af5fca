import type { OptionReader } from '@sluice/core/adapter';

/** When in the life of a request a limiter counts it. */
export type HookName = 'onRequest' | 'preValidation' | 'preHandler';

const NAMES: readonly HookName[] = ['onRequest', 'preValidation', 'preHandler'];

/** The hook in the options of a reader. @throws ConfigError */
export function readHookName(reader: OptionReader, otherwise: HookName): HookName {
  return reader.choice('hook', NAMES, otherwise);
}

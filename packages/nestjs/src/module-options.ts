import { readOptions } from './options-reader.js';
import type { RateLimitModuleOptions } from './rate-limit-options.js';

/** Checks what an application, or its factory, says of the module, but for the limits. @throws ConfigError */
export function checkModuleOptions(options: RateLimitModuleOptions<never>): void {
  checkPlace('options', options);
  if (options.authenticated !== undefined) checkPlace('authenticated', options.authenticated);
}

function checkPlace(place: string, options: unknown): void {
  const reader = readOptions('RateLimitModule', place, options);
  const decorated = ['at', 'override'].find((name) => reader.has(name));
  if (decorated) throw reader.fail('OPTION_UNKNOWN', decorated, 'is not an option here: only decorated limits have it');
}

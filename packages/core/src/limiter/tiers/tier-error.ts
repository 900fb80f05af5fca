import { ConfigError, type ErrorCode } from '../../model/errors.js';

interface BrokenRule {
  /** As the message ends: `must stand once in a limiter`. */
  readonly rule: string;
  readonly value?: unknown;
  readonly code?: ErrorCode;
}

/** The error for an option of a tier that does not fit its limiter or its store. @param name of the tier */
export function tierError(name: string, option: string, { rule, value, code = 'OPTION_INVALID' }: BrokenRule) {
  return new ConfigError(code, option, value, `tier "${name}": ${option} ${rule}`, { tier: name });
}

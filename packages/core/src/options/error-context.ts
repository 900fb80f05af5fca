import { ConfigError, isSluiceError } from '../model/errors.js';

/** Prefixes the messages of configuration errors with their place: `route GET /cats: tier "ip": limit must be ...`. */
export function withErrorContext<T>(place: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isSluiceError(error) || !(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.code, error.option, error.value, `${place}: ${error.message}`, { cause: error });
  }
}

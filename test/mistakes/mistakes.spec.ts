import type { ErrorCode } from '../../packages/core/src/model/errors.js';
import type { Door } from './door.js';
import { doors } from './doors.js';

describe.each(doors)('$name', ({ owner, values, make, mistakes }) => {
  it.each(mistakes)('rejects with %s of %s: %s', (code, option, words, wrong) => {
    const error = thrownBy(() => make(wrong as never));

    expect(error).toMatchObject({ name: 'ConfigError', code, option, ...valueOf(values, code, option, wrong) });
    expect((error as Error).message.startsWith(owner)).toBe(true);
    expect((error as Error).message).toContain(words);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** An error keeps no object, which may be a request, and nothing of an unknown option, which may be a secret. */
function valueOf(values: Door['values'], code: ErrorCode, option: string, wrong: unknown): { value?: unknown } {
  if (values === 'hidden') return { value: undefined };
  if (values !== 'kept' || typeof wrong !== 'object' || wrong === null || !(option in wrong)) return {};
  const value: unknown = wrong[option as never];
  const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return { value: isObject || code === 'OPTION_UNKNOWN' ? undefined : value };
}

import { ConfigError } from '@sluice/core';
import type { Path, SourceText } from './source-text.js';

/** Runs a check of code on values of a file. Its error then says where the option is. @param base where its options are */
export function placed<T>(source: SourceText, base: Path, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw placedError(source, base, cause);
  }
}

/** The error of code with the place of its option in a file. */
export function placedError(source: SourceText, base: Path, cause: ConfigError): ConfigError {
  const { code, option, message } = cause;
  const path = [...base, ...stepsOf(option)];
  return source.fail(path, message, { code, part: code === 'OPTION_UNKNOWN' ? 'name' : 'value', cause });
}

/** `windows[1].limit` as the steps of a path. */
function stepsOf(option: string): Path {
  const steps = option.match(/[^.[\]]+/g) ?? [];
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

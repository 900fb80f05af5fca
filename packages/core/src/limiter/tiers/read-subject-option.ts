import { FAIR } from '../../options/imported-value.js';
import type { OptionReader } from '../../options/option-reader.js';
import { show } from '../../options/show.js';
import { callUserFunction } from './call-user-function.js';
import type { FairValue } from './fair.js';
import type { SubjectOption } from './subject-option.js';

/** The option of a tier that depends on the subject. It is undefined if no option does. @throws ConfigError */
export function readSubjectOption<S>(
  options: OptionReader,
  owner: string,
  secret: string | undefined,
): SubjectOption<S> | undefined {
  const fair = options.one('fair', { imported: FAIR }) as FairValue<S> | undefined;
  if (fair !== undefined) return fair.callersOf(owner, secret);
  const startsOn = options.value('startsOn') as ((subject: S) => unknown) | undefined;
  if (typeof startsOn !== 'function') return undefined;
  return {
    name: 'startsOn',
    isOfRequest: false,
    base: startsOn,
    call: (subject) => callUserFunction(owner, 'startsOn', startsOn, subject),
    read: (day) => day,
    textOf: show,
  };
}

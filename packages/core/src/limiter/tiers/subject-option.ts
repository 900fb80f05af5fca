import { fairFor, type FairPolicies } from '../../algorithms/fair-policies.js';
import { show, type OptionReader } from '../../options/option-reader.js';
import { callUserFunction } from '../claims/call-user-function.js';
import type { KeyBounds } from '../key-function.js';

/** An option of an algorithm that depends on the subject: the first day of a period, or a caller that shares a limit. */
export interface SubjectOption<S> {
  readonly name: string;
  /** Requests of one key may differ in it: work waits in a line for each value, and to read a key takes none. */
  readonly isOfRequest: boolean;
  /** How many values one client can have, as of a key. Undefined where nobody can tell. */
  readonly bounds?: KeyBounds | undefined;
  /** Stands for it in the policy of the tier itself. */
  readonly base: unknown;
  /** Calls its functions. @returns what they return, or a promise of that */
  call(subject: S): unknown;
  /** What a policy takes. @throws UsageError for results that it does not take */
  read(results: unknown): unknown;
  /** Tells values apart. */
  textOf(value: unknown): string;
}

/** What `@sluice/core/fair` adds to tiers. */
export interface FairTiers extends FairPolicies {
  /** @param owner the first words of messages. @throws ConfigError */
  callersOf<S>(options: OptionReader, owner: string, secret: string | undefined): SubjectOption<S>;
}

/** Undefined where no option depends on the subject. @throws ConfigError */
export function readSubjectOption<S>(
  options: OptionReader,
  owner: string,
  secret: string | undefined,
): SubjectOption<S> | undefined {
  if (options.has('fair')) return (fairFor(options) as FairTiers).callersOf(options, owner, secret);
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

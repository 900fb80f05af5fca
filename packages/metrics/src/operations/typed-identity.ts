import { isIPv4 } from 'node:net';
import {
  by,
  byApiKey,
  byHeader,
  byJwtSubject,
  canonicalAddress,
  compose,
  type HttpRequest,
  networkOf,
} from '@sluice/http/internal';
import { type Key, UsageError } from '@sluice/core/internal';

/** What a key function gets. */
interface Subject extends HttpRequest {
  readonly value: string;
}

/** How the values of a kind become an identity. */
interface Kind {
  readonly least: number;
  readonly most: number;
  /** As help shows the values. */
  readonly form: string;
  /** Undefined for values that are no identity. */
  readonly make: (values: readonly string[], isSecret: boolean) => Key | undefined;
}

const MISSING = 'missing';
/** Without a valid value a key function would take the address. */
const otherwise = () => MISSING;
const from = ({ value }: Subject) => value;
const one = { least: 1, most: 1, form: 'VALUE' };

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['key', { ...one, make: ([value]) => value }],
  ['ip', { ...one, make: ([value]) => addressOf(value!) }],
  ['api-key', { ...one, make: ([value]) => apiKeyOf(value!) }],
  ['jwt-subject', { least: 1, most: 2, form: '[ISSUER] SUBJECT', make: callerOf }],
  ['header', { least: 2, most: 2, form: 'NAME VALUE', make: ([name, value]) => headerOf(name!, value!) }],
  // More than any application composes, and few enough to read in a millisecond.
  ['composed', { least: 2, most: 64, form: 'KIND:VALUE KIND:VALUE ...', make: composedOf }],
]);

/**
 * The identity that the key functions return for a client whose values an operator has typed.
 *
 * @param kind `ip`, `api-key`, `key` for a plain text; of other names the kind of `by(kind, ...)`
 * @param isSecret the message of an error does not repeat the values. @default for API keys
 * @throws UsageError for values that are no identity of the kind
 */
export function typedIdentity(kind: string, values: readonly string[], isSecret = kind === 'api-key'): Key {
  const { least, most, form, make } = kindOf(kind);
  if (values.length < least || values.length > most) throw invalid(`${kind}: write ${kind} ${form}`);
  const key = make(values, isSecret);
  if (key !== undefined && key !== MISSING && key !== '') return key;
  const shown = isSecret ? 'the value' : JSON.stringify(values.join(' '));
  throw invalid(`${kind}: ${shown} is not an identity of this kind`);
}

/** `KIND:VALUE`, where a space separates several values, or a plain text. @throws UsageError */
export function parseIdentity(text: string, isSecret?: boolean): Key {
  const [, kind, rest = ''] = /^([^:]+):(.*)$/s.exec(text) ?? [];
  if (kind === undefined) return text;
  return typedIdentity(kind, kindOf(kind).most === 1 ? [rest] : rest.split(' '), isSecret);
}

/** Of other names the kind of `by(kind, ...)`, and `session`. */
function kindOf(name: string): Kind {
  return (
    kinds.get(name) ?? { ...one, make: ([value]) => by<Subject>(name, from, { otherwise })({ value: value! }) as Key }
  );
}

/** As byIp(); with `/56` as `byIp({ ipv6Subnet: 56 })`. Clients without a readable address share `unknown`. */
function addressOf(value: string): Key | undefined {
  if (value === 'unknown') return { kind: 'ip', parts: [value] };
  const [ip = '', bits] = value.split('/');
  const address = canonicalAddress(ip);
  const prefix = Number(bits ?? 64);
  if (address === undefined || !(prefix >= 32 && prefix <= 128)) return undefined;
  return bits !== undefined && isIPv4(address) ? undefined : { kind: 'ip', parts: [networkOf(address, prefix)] };
}

function apiKeyOf(value: string): Key {
  return byApiKey({ otherwise })({ headers: { 'x-api-key': value } }) as Key;
}

function callerOf(values: readonly string[]): Key {
  const [sub, iss = ''] = values.toReversed();
  return byJwtSubject<Subject>({ from: () => ({ sub, iss }), otherwise })({ value: '' }) as Key;
}

function headerOf(name: string, value: string): Key {
  return byHeader(name, { otherwise })({ headers: { [name.toLowerCase()]: value } }) as Key;
}

function composedOf(values: readonly string[], isSecret: boolean): Key {
  // Read before: what a key function throws becomes a rejection.
  const parts = values.map((each) => parseIdentity(each, isSecret || undefined));
  return compose<object>(...parts.map((part) => () => part))({}) as Key;
}

function invalid(message: string): UsageError {
  return new UsageError('USAGE_INVALID', message);
}

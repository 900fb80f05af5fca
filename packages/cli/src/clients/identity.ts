import { isIPv4 } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { by, byApiKey, byHeader, byJwtSubject, compose, type HttpRequest, type Key } from '@sluice/core';
import { canonicalAddress, networkOf } from '@sluice/core/operations';
import { usage } from '../failure.js';

/** A client as it was typed. */
export interface TypedIdentity {
  /** For messages. A secret is not repeated. */
  readonly name: string;
  readonly key: Key;
}

/** What a key function of core gets. */
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
  readonly make: (values: readonly string[]) => Key | undefined;
}

const MISSING = 'missing';
/** Without a valid value core would take the address. */
const otherwise = () => MISSING;
const from = ({ value }: Subject) => value;
const one = { least: 1, most: 1, form: 'VALUE' };

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['key', { ...one, make: ([value]) => value }],
  ['ip', { ...one, make: ([value]) => addressOf(value!) }],
  ['api-key', { ...one, make: ([value]) => byApiKey<Subject>({ from, otherwise })({ value: value! }) as Key }],
  ['jwt-subject', { least: 1, most: 2, form: '[ISSUER] SUBJECT', make: callerOf }],
  ['header', { least: 2, most: 2, form: 'NAME VALUE', make: ([name, value]) => headerOf(name!, value!) }],
  ['composed', { least: 2, most: Infinity, form: 'KIND:VALUE KIND:VALUE ...', make: composedOf }],
]);

/**
 * The identity that the key functions of core return for a client.
 *
 * @param args kind and values; a value of `-` is a line of stdin, because other users see the command line
 * @throws Failure for values that are no identity of the kind
 */
export async function readIdentity([kind = '', ...typed]: readonly string[]): Promise<TypedIdentity> {
  const values = typed.includes('-') ? await withLine(typed) : typed;
  const isSecret = kind === 'api-key' || typed.includes('-');
  return { name: isSecret ? `this ${kind}` : `${kind} ${values.join(' ')}`, key: identityOf(kind, values, isSecret) };
}

/** `KIND:VALUE`, where a space separates several values, or a plain text. @throws Failure */
export function parseIdentity(text: string): Key {
  const [, kind, rest = ''] = /^([^:]+):(.*)$/s.exec(text) ?? [];
  if (kind === undefined) return text;
  return identityOf(kind, kindOf(kind).most === 1 ? [rest] : rest.split(' '), false);
}

function identityOf(kind: string, values: readonly string[], isSecret: boolean): Key {
  const { least, most, form, make } = kindOf(kind);
  if (values.length < least || values.length > most) throw usage(`${kind}: write ${kind} ${form}`);
  const key = make(values);
  if (key !== undefined && key !== MISSING && key !== '') return key;
  const shown = isSecret ? 'the value' : JSON.stringify(values.join(' '));
  throw usage(`${kind}: ${shown} is not an identity of this kind`);
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

function callerOf(values: readonly string[]): Key {
  const [sub, iss = ''] = values.toReversed();
  return byJwtSubject<Subject>({ from: () => ({ sub, iss }), otherwise })({ value: '' }) as Key;
}

function headerOf(name: string, value: string): Key {
  return byHeader(name, { otherwise })({ headers: { [name.toLowerCase()]: value } }) as Key;
}

function composedOf(values: readonly string[]): Key {
  return compose<object>(...values.map((each) => () => parseIdentity(each)))({}) as Key;
}

/** Reads the value that is not in the command line. */
async function withLine(typed: readonly string[]): Promise<readonly string[]> {
  const [line = ''] = (await textOf(process.stdin)).split('\n');
  return typed.map((value) => (value === '-' ? line.trim() : value));
}

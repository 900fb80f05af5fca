import { text as textOf } from 'node:stream/consumers';
import { by, byApiKey, byHeader, byIp, byJwtSubject, compose, type Key } from '@sluice/core';
import { usage } from '../failure.js';

/** What a key function gets from the command line. */
interface Subject {
  readonly value: string;
  readonly ip?: string;
}

/** A client as it was typed. */
export interface TypedIdentity {
  readonly kind: string;
  /** For messages. A secret is not repeated. */
  readonly name: string;
  readonly key: Key;
}

const UNREADABLE = 'unreadable';
/** So that no kind takes a client without its identity for an address. */
const options = { otherwise: () => UNREADABLE };
const from = ({ value }: Subject) => value;

/** The kinds of core, with the functions that make identities of them in an application. */
const kinds: Readonly<Record<string, (values: readonly string[]) => Key | undefined>> = {
  key: ([value]) => value,
  ip: addressOf,
  'api-key': ([value = '']) => byApiKey<Subject & object>({ ...options, from })({ value }) as Key,
  'jwt-subject': callerOf,
  header: ([name = '', value = '']) => byHeader(name, options)({ headers: { [name.toLowerCase()]: value } }) as Key,
  composed: (values) => compose<object>(...values.map((each) => () => parseIdentity(each)))({}) as Key,
};

/** Values of the kinds that have more than one. */
const SHAPES: Readonly<Record<string, readonly [least: number, most: number, form: string]>> = {
  'jwt-subject': [1, 2, '[ISSUER] SUBJECT'],
  header: [2, 2, 'NAME VALUE'],
  composed: [2, Infinity, 'KIND:VALUE KIND:VALUE ...'],
};

/**
 * The identity that the key functions of core would return for a client.
 *
 * @param args kind and values; a value of `-` is a line of stdin, because other users see the command line
 * @throws Failure for values that are no identity of the kind
 */
export async function readIdentity([kind = '', ...typed]: readonly string[]): Promise<TypedIdentity> {
  const values = await Promise.all(typed.map((value) => (value === '-' ? readLine() : value)));
  const [least, most, form] = SHAPES[kind] ?? [1, 1, 'VALUE'];
  if (values.length < least || values.length > most) throw usage(`${kind}: write ${kind} ${form}`);
  const key = identityOf(kind, values);
  const isSecret = kind === 'api-key' || typed.includes('-');
  return { kind, name: isSecret ? `this ${kind}` : `${kind} ${values.join(' ')}`, key };
}

/** `KIND:VALUE`, or a plain text. */
export function parseIdentity(text: string): Key {
  const at = text.indexOf(':');
  return at < 1 ? text : identityOf(text.slice(0, at), [text.slice(at + 1)]);
}

function identityOf(kind: string, values: readonly string[]): Key {
  const make = kinds[kind] ?? (([value = '']) => by<Subject>(kind, from, options)({ value }) as Key);
  const key = make(values);
  if (key !== undefined && key !== UNREADABLE && key !== '') return key;
  throw usage(
    `${kind}: ${kind === 'api-key' ? 'the value' : JSON.stringify(values.join(' '))} is not an identity of this kind`,
  );
}

/** An address, or with the prefix of `byIp({ ipv6Subnet })` behind a slash. `unknown` is the budget of unreadable ones. */
function addressOf([value = '']: readonly string[]): Key | undefined {
  if (value === 'unknown') return { kind: 'ip', parts: [value] };
  const [, ip = '', bits = '64'] = /^([^/]+?)(?:\/(\d+))?$/.exec(value) ?? [];
  // Of other texts byIp warns, and an operator has mistyped them.
  if (!/^["[]?[\da-f.:]+/i.test(ip)) return undefined;
  const key = byIp<Subject>({ ipv6Subnet: Number(bits), from: () => ip })({ value: ip }) as Exclude<
    Key,
    string | number | bigint
  >;
  return key.parts[0] === 'unknown' ? undefined : key;
}

function callerOf(values: readonly string[]): Key {
  const [subject, issuer = ''] = values.toReversed();
  const claims = { sub: subject, iss: issuer };
  return byJwtSubject<Subject>({ ...options, from: () => claims })({ value: '' }) as Key;
}

async function readLine(): Promise<string> {
  const [line = ''] = (await textOf(process.stdin)).split('\n');
  return line.trim();
}

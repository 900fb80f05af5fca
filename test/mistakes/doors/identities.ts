import { by, byApiKey, byHeader, byIp, byJwtSubject, bySession, byTarget, compose } from '@sluice/http';
import type { Door, Mistake } from '../door.js';

const named = function named() {
  return 'ada';
};

/** Each identity with the options of its own that are functions. */
const withFunctions: readonly Door[] = [
  functions('byIp', byIp, 'from'),
  functions('by', (options) => by('account', named, options as object), 'otherwise'),
  functions('byHeader', (options) => byHeader('x-tenant', options as object), 'otherwise'),
  functions('byApiKey', byApiKey, 'otherwise'),
  functions('byApiKey', byApiKey, 'from'),
  functions('byJwtSubject', byJwtSubject, 'otherwise'),
  functions('byJwtSubject', byJwtSubject, 'from'),
  functions('bySession', bySession, 'otherwise'),
];

const subnet = 'ipv6Subnet must be an integer from 32 to 128';
const kind = 'kind must be a non-empty text';
const reader = 'read must be a function of the subject';
const header = 'header must be the name of a header';
const keys = 'keys must be two functions of the subject or more';

export const identities: readonly Door[] = [
  ...withFunctions,
  {
    name: 'byIp of a subnet',
    owner: 'byIp',
    make: byIp,
    mistakes: [31, 129, 56.5, '', false].map((ipv6Subnet): Mistake => [
      'OPTION_INVALID',
      'ipv6Subnet',
      subnet,
      { ipv6Subnet },
    ]),
  },
  {
    name: 'by of a kind and a function',
    owner: 'by',
    make: (wrong: Readonly<Record<'kind' | 'read', never>>) => by(wrong.kind, wrong.read),
    mistakes: [
      ['KEY_INVALID', 'kind', `${kind}, got ""`, { kind: '', read: named }],
      ['KEY_INVALID', 'kind', 'kind is missing: it must be a non-empty text', { kind: undefined, read: named }],
      ['KEY_INVALID', 'kind', `${kind}, got an array of 1`, { kind: ['account'], read: named }],
      ['KEY_INVALID', 'read', `${reader}, got "email"`, { kind: 'account', read: 'email' }],
      [
        'KEY_INVALID',
        'read',
        'read is missing: it must be a function of the subject',
        { kind: 'account', read: undefined },
      ],
      ['KEY_INVALID', 'read', `${reader}, got an object`, { kind: 'account', read: { otherwise: named } }],
    ],
  },
  {
    name: 'byTarget of a kind, a function and a comparison',
    owner: 'byTarget',
    make: (wrong: Readonly<Record<'kind' | 'read' | 'as', never>>) =>
      byTarget(wrong.kind, wrong.read, { as: wrong.as }),
    mistakes: [
      ['KEY_INVALID', 'kind', `${kind}, got ""`, { kind: '', read: named }],
      ['KEY_INVALID', 'read', `${reader}, got "email"`, { kind: 'email', read: 'email' }],
      [
        'OPTION_INVALID',
        'as',
        'as must be one of "text", "digits", got "phone"',
        { kind: 'a', read: named, as: 'phone' },
      ],
    ],
  },
  {
    name: 'byHeader of a name',
    owner: 'byHeader',
    make: (wrong: { readonly header: never }) => byHeader(wrong.header),
    mistakes: [
      ['KEY_INVALID', 'header', `${header}, got ""`, { header: '' }],
      ['KEY_INVALID', 'header', `${header}, got "x tenant"`, { header: 'x tenant' }],
      ['KEY_INVALID', 'header', `${header}, got "x-tenant:"`, { header: 'x-tenant:' }],
      ['KEY_INVALID', 'header', String.raw`${header}, got "x-tenant\r\n"`, { header: 'x-tenant\r\n' }],
      ['KEY_INVALID', 'header', `${header}, got "x-ténant"`, { header: 'x-ténant' }],
      ['KEY_INVALID', 'header', 'header is missing: it must be the name of a header', { header: undefined }],
      ['KEY_INVALID', 'header', `${header}, got an array of 1`, { header: ['x-tenant'] }],
    ],
  },
  {
    name: 'byApiKey of a header and a query',
    owner: 'byApiKey',
    make: byApiKey,
    mistakes: [
      ['KEY_INVALID', 'header', 'must be the name of a header, got "api key"', { header: 'api key' }],
      ['KEY_INVALID', 'header', 'must be the name of a header, got 5', { header: 5 }],
      ['OPTION_INVALID', 'query', 'must be the name of a field, got ""', { query: '' }],
      ['OPTION_INVALID', 'query', 'must be the name of a field, got 5', { query: 5 }],
      ['OPTION_INVALID', 'query', 'must be the name of a field, got an array of 1', { query: ['key'] }],
      ['OPTION_INVALID', 'from', 'must stand without header and query, got the', { from: named, header: 'x' }],
      ['OPTION_INVALID', 'from', 'must stand without header and query, got the', { from: named, query: 'x' }],
    ],
  },
  {
    name: 'compose',
    owner: 'compose',
    make: (wrong: readonly never[]) => compose(...(wrong as unknown as [never, never])),
    mistakes: [
      ['KEY_INVALID', 'keys[0]', 'must be what byIp returns: write byIp()', [byIp, byIp()]],
      ['KEY_INVALID', 'keys', `${keys}, got an array of 0`, []],
      ['KEY_INVALID', 'keys', `${keys}, got an array of 1`, [byIp()]],
      ['KEY_INVALID', 'keys[1]', 'is missing: it must be a function of the subject', [byIp(), undefined]],
      ['KEY_INVALID', 'keys[0]', 'must be a function of the subject, got null', [null, byIp()]],
      ['KEY_INVALID', 'keys[1]', 'must be a function of the subject, got "account"', [byIp(), 'account']],
      ['KEY_INVALID', 'keys[1]', "must be what by returns: write by('account', (request) => …)", [byIp(), by]],
      ['KEY_INVALID', 'keys', `${keys}, got an array of 1`, [[byIp(), byIp()]]],
    ],
  },
];

function functions(name: string, make: (options: never) => unknown, option: string): Door {
  return {
    name: `${name} with ${option}`,
    owner: name,
    make,
    mistakes: [
      ['OPTION_INVALID', option, `${option} must be a function, got "ip"`, { [option]: 'ip' }],
      ['OPTION_UNKNOWN', `${option}s`, `is not an option here: did you mean ${option}?`, { [`${option}s`]: 5 }],
      ['OPTION_INVALID', 'options', 'options must be an object, got "x-key"', 'x-key'],
      ['OPTION_INVALID', 'options', 'options must be an object, got null', null],
      ['OPTION_INVALID', 'options', 'options must be an object, got the function named', named],
      ...(option === 'otherwise'
        ? [['OPTION_INVALID', option, 'must be what byIp returns: write byIp()', { [option]: byIp }] as const]
        : []),
    ],
  };
}

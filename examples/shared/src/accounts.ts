import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export type Plan = 'free' | 'pro';

export interface Account {
  readonly name: string;
  readonly plan: Plan;
  readonly apiKey: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/** As a database has them. The passwords are lovelace and hopper. */
const accounts: readonly Account[] = [
  {
    name: 'ada',
    plan: 'free',
    apiKey: 'free-key',
    salt: bytes('KfUjnjMiCqPegXf2wu0FWw=='),
    hash: bytes('4f/SxGSQYISlg+V1NnAxTK7ajiQ7On34ovyso03wVIQ='),
  },
  {
    name: 'grace',
    plan: 'pro',
    apiKey: 'pro-key',
    salt: bytes('/KlU9M0I4kjKDmFeoS7bcA=='),
    hash: bytes('Vu4W6U2uM8uev/zMZhWdUnFG/CIsUEM7ifFfSGlIBSo='),
  },
];
const byName = new Map(accounts.map((account) => [account.name, account]));
const byKey = new Map<unknown, Account>(accounts.map((account) => [account.apiKey, account]));
// No password has this hash.
const unknownAccount = { salt: randomBytes(16), hash: randomBytes(32) };

/**
 * The canonical spelling of an account's name, because each spelling would otherwise have its own limit of guesses.
 * Undefined for arrays and objects, which clients can also send.
 */
function accountName(user: unknown): string | undefined {
  return typeof user === 'string' ? user.trim().toLowerCase() : undefined;
}

/**
 * The account with this name and password. Unknown names take as long as known ones, so that time does not reveal which
 * accounts exist.
 */
export async function authenticate(user: unknown, password: unknown): Promise<Account | undefined> {
  const account = byName.get(accountName(user) ?? '');
  const { salt, hash } = account ?? unknownAccount;
  const derived = await derive(typeof password === 'string' ? password : '', salt, hash.length);
  return timingSafeEqual(derived, hash) ? account : undefined;
}

export function accountWithKey(apiKey: unknown): Account | undefined {
  return byKey.get(apiKey);
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

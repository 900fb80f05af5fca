import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
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

const accounts: readonly Account[] = [
  { name: 'ada', plan: 'free', apiKey: 'free-key', ...kept('lovelace') },
  { name: 'grace', plan: 'pro', apiKey: 'pro-key', ...kept('hopper') },
];
const byName = new Map(accounts.map((account) => [account.name, account]));
const byKey = new Map<unknown, Account>(accounts.map((account) => [account.apiKey, account]));
// No password gives this.
const stranger = { salt: randomBytes(16), hash: randomBytes(32) };

/**
 * The one spelling of an account's name: who could spell it in two ways would have two limits to guess within. Clients
 * send arrays and objects as well, which name nobody.
 */
export function accountName(user: unknown): string | undefined {
  return typeof user === 'string' ? user.trim().toLowerCase() : undefined;
}

/**
 * The account of a user who knows its password. A stranger takes as long as an account, so that time does not tell which
 * names there are.
 */
export async function authenticate(user: unknown, password: unknown): Promise<Account | undefined> {
  const account = byName.get(accountName(user) ?? '');
  const { salt, hash } = account ?? stranger;
  const derived = await derive(typeof password === 'string' ? password : '', salt, hash.length);
  return timingSafeEqual(derived, hash) ? account : undefined;
}

export function accountWithKey(apiKey: unknown): Account | undefined {
  return byKey.get(apiKey);
}

function kept(password: string): Pick<Account, 'salt' | 'hash'> {
  const salt = randomBytes(16);
  return { salt, hash: scryptSync(password, salt, 32) };
}

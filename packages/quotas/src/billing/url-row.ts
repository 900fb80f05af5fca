import type { OptionRow } from '@sluice/core/internal';

/** The address of a service. A password in it would be in messages. */
export const URL_ROW = {
  is: (value: unknown) => typeof value === 'string' && isPlain(value),
  words: "an http(s) URL without a password, such as 'https://api.example.com'",
  secret: true,
} as const satisfies OptionRow;

function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** The URL of a path behind an address, with or without a slash at its end. */
export function urlOf(address: string, path: string): string {
  return address.replace(/\/+$/, '') + path;
}

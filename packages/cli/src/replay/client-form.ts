/** How a log names a client: by its address, its host name, a part of its address, or by any other text. */
export type ClientForm = 'address' | 'host' | 'masked' | 'text';

/** Four numbers of an address, some of which are hidden, as in `203.0.113.xxx`; or the beginning of IPv6, as in `2001:db8::x`. */
const MASKED = /^(?:(?:\d{1,3}|[x*]+)\.){3}(?:\d{1,3}|[x*]+)$|^[\da-fx*]{0,4}(?::[\da-fx*]{0,4})+$/i;
const HOST = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.[a-z][a-z\d-]*\.?$/i;

const LONGEST_HOST = 253;

/** @param address of the text, where it is one */
export function formOf(text: string, address: string | undefined): ClientForm {
  if (address !== undefined) return 'address';
  if (text.length > LONGEST_HOST) return 'text';
  if (MASKED.test(text)) return 'masked';
  return HOST.test(text) ? 'host' : 'text';
}

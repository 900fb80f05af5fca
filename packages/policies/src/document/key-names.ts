import { byApiKey, byHeader, byIp, byJwtSubject, bySession, type HttpRequest, type KeyFunction } from '@sluice/http';
import type { Named } from './document-context.js';

const BUILT_IN: Readonly<Record<string, () => unknown>> = {
  ip: byIp,
  'api-key': byApiKey,
  'jwt-subject': byJwtSubject,
  session: bySession,
};
const HEADER = /^header:([\w-]{1,64})$/;

/** One function for each name: tiers that follow each other share its call. */
const made = new Map<string, unknown>();

/** The names that a file may have as `key`, for messages. */
export function keyNames(keys: Named<unknown>): readonly string[] {
  return [...Object.keys(BUILT_IN), 'header:NAME', ...Object.keys(keys)];
}

/** The key function of a name: of the application first. Undefined for an unknown name. */
export function keyOf<S>(name: string, keys: Named<KeyFunction<S>>): KeyFunction<S> | undefined {
  if (Object.hasOwn(keys, name)) return keys[name];
  const known = made.get(name);
  if (known !== undefined) return known as KeyFunction<S>;
  const key = make(name);
  if (key !== undefined) made.set(name, key);
  return key as KeyFunction<S> | undefined;
}

function make(name: string): unknown {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name]!();
  const [, header] = HEADER.exec(name) ?? [];
  return header === undefined ? undefined : byHeader<HttpRequest>(header);
}

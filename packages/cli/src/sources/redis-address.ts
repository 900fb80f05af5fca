import type { RedisOptions } from '@sluice/redis';
import { usage } from '../failure/failure.js';

/** Where Redis is: SLUICE_REDIS_URL. Not an option, because other users of the machine see the command line. */
export const URL_VARIABLE = 'SLUICE_REDIS_URL';

const FORMS = [
  'redis://user:password@host:6379/0',
  'rediss://host:6379 (TLS)',
  'redis://a:7000,redis://b:7000 (Cluster)',
  'redis-sentinel://user:password@a:26379,b:26379/0#primary',
];

/**
 * Reads SLUICE_REDIS_URL: one server, nodes of a Cluster with commas between them, or Sentinels.
 *
 * @throws Failure that names the forms, and never shows the text, because it may have a password
 */
export function parseAddress(text: string): RedisOptions {
  if (text.startsWith('redis-sentinel://')) return sentinelsOf(text);
  const urls = text.split(',').map((url) => url.trim());
  if (!urls.every((url) => /^rediss?:\/\/./.test(url) && URL.canParse(url))) throw invalid();
  return urls.length === 1 ? { url: text } : { cluster: urls };
}

/** `redis-sentinel://[user:password@]host:port,host:port[/database]#name`, as other clients write it. */
function sentinelsOf(text: string): RedisOptions {
  const match = /^redis-sentinel:\/\/(?:([^@/]*)@)?([^/#]+)(?:\/(\d*))?#(.+)$/.exec(text);
  if (match === null) throw invalid();
  const [, user = '', hosts = '', database = '', name = ''] = match;
  const sentinels = hosts.split(',').map((host) => {
    const [, address = '', port = '26379'] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host.trim()) ?? [];
    if (address === '') throw invalid();
    return { host: address.replaceAll(/[[\]]/g, ''), port: Number(port) };
  });
  const [username, password] = user.includes(':') ? splitOnce(user) : ['', user];
  const connection = {
    ...(username && { username: decode(username) }),
    ...(password && { password: decode(password) }),
    ...(database && { db: Number(database) }),
  };
  return { sentinels, name: decode(name), connection };
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  return [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid();
  }
}

function invalid(): Error {
  return usage(`${URL_VARIABLE} must have one of these forms:`, ...FORMS.map((form) => `  ${form}`));
}

import type { ReplayTier } from './replayed-request.js';

/** The first line of a program that limits by a tier, to copy: `rateLimit({ limit: 144, window: '1m' })`. */
export function writtenTier(tier: ReplayTier, limit: number, key: string): string {
  const {
    name: _name,
    key: _key,
    limit: _limit,
    window,
    algorithm,
    ...others
  } = tier as unknown as Record<string, unknown>;
  const by = writtenKey(key);
  const options = { ...(by !== undefined && { key: by }), algorithm, limit, window, ...others };
  const written = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${name === 'key' ? String(value) : literal(value)}`);
  return `rateLimit({ ${written.join(', ')} })`;
}

/** What identifies a client by `--key`. Undefined for an address, which is the default of each adapter. */
function writtenKey(key: string): string | undefined {
  if (key === 'ip') return undefined;
  if (key === 'user') return "by('user', (request) => request.user?.id)";
  const field = key.replace(/^json:/, '').replace(/^\$\.?/, '');
  const [, header] = /^http_(\w+)$/.exec(field.replaceAll('-', '_')) ?? /\bheaders\.([\w-]+)$/.exec(field) ?? [];
  const name = header?.replaceAll('_', '-');
  if (name === 'x-api-key') return 'byApiKey()';
  if (name !== undefined) return `byHeader(${literal(name)})`;
  const path = field.split('.').map((part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? part : `[${literal(part)}]`));
  return `by(${literal(field)}, (request) => request.${path.join('?.')})`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${literal(each)}`)
      .join(', ')} }`;
  return String(value);
}

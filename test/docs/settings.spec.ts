import { sourceOf } from './declarations.js';
import { page, sectionOf } from './pages.js';

/** What the warning asks for: `set maxRetriesPerRequest: 0`. */
const asked = [...sourceOf('stores/redis/client/client-check.ts').matchAll(/set (\w+): ({ \w+: \w+ }|\w+)/g)].map(
  ([, name, value]) => [name!, value!] as const,
);

describe('The settings of a client of yours', () => {
  const section = sectionOf(page('docs/guide/redis.md').text, 'A client of yours');
  const warning = sectionOf(page('docs/reference/warnings.md').text, 'SLUICE_REDIS_CLIENT_SETTINGS');

  it.each(asked)('name %s: %s where a client is made, and where its absence is warned of', (name, value) => {
    const [, nested] = /^{ (.+) }$/.exec(value) ?? [];
    const setting = nested ?? `${name}: ${value}`;

    expect(section.replaceAll('_', '')).toContain(setting);
    expect(warning).toContain(setting);
  });
});

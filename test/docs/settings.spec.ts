import { sourceOf } from './declarations.js';
import { page, sectionOf } from './pages.js';

/** The settings in the text of the warning, such as `set maxRetriesPerRequest: 0`. */
const settings = [...sourceOf('../../redis/src/client/client-check.ts').matchAll(/set (\w+): ({ \w+: \w+ }|\w+)/g)].map(
  ([, name, value]) => [name!, value!] as const,
);

describe('The settings of an ioredis client', () => {
  const section = sectionOf(page('docs/guide/redis-clients.md').text, 'ioredis');
  const warning = sectionOf(page('docs/reference/warnings.md').text, 'SLUICE_REDIS_CLIENT_SETTINGS');

  it.each(settings)('include %s: %s in the guide and in the reference of warnings', (name, value) => {
    const [, nested] = /^{ (.+) }$/.exec(value) ?? [];
    const setting = nested ?? `${name}: ${value}`;

    expect(section.replaceAll('_', '')).toContain(setting);
    expect(warning).toContain(setting);
  });
});

import { page, pages } from './pages.js';

/** What programs of a page import of Sluice, of Redis clients and of metrics, without the path in a package. */
function importedBy(text: string): readonly string[] {
  const programs = [...text.matchAll(/^```(?:ts|js|tsx)\b.*\n([^]*?)^```/gm)].map(([, program]) => program!);
  const imports = programs.flatMap((program) => [
    ...program.matchAll(/\bfrom '(@sluice\/[a-z]+|ioredis|prom-client)\b/g),
  ]);
  return [...new Set(imports.map(([, name]) => name!))];
}

/** The packages that a page tells to install, also as a comment on such a line, and those that its command line gets. */
function installedBy(text: string): ReadonlySet<string> {
  const lines = text.match(/npm install [^`\n]+/g) ?? [];
  return new Set(lines.flatMap((line) => line.match(/@?[a-z][a-z-]*(?:\/[a-z-]+)?/g) ?? []));
}

const base = ['README.md', 'docs/guide/getting-started.md'].flatMap((path) => [...installedBy(page(path).text)]);

describe('The pages', () => {
  it('say what to install for their programs, there or in the first guide and the README', () => {
    const missing = pages()
      .filter(({ path }) => !/^docs\/decisions|^CHANGELOG|^CONTRIBUTING/.test(path))
      .flatMap(({ path, text }) => {
        const known = installedBy(text);
        const names = importedBy(text).filter((name) => !known.has(name));
        // A README of a package is read without the others, on the page of npm.
        return names
          .filter((name) => path.startsWith('packages/') || !base.includes(name))
          .map((name) => `${path}: ${name}`);
      });

    expect(missing).toEqual([]);
  });

  it.each(['README.md', 'docs/guide/getting-started.md', 'docs/guide/redis.md', 'packages/redis/README.md'])(
    'name the store and its client to those who use Redis, such as %s',
    (path) => {
      expect([...installedBy(page(path).text)]).toEqual(expect.arrayContaining(['@sluice/redis', 'ioredis']));
    },
  );
});

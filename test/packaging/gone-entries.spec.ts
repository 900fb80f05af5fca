import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

/** Every file of the repository that a reader or a tool may copy an import from, but this spec. */
function textFiles(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  return files
    .split('\0')
    .filter((file) => /\.(md|[cm]?[jt]sx?|json|ya?ml|html|vue|lua|snap|txt)$/.test(file))
    .filter((file) => !/^(CHANGELOG\.md|pnpm-lock\.yaml|test\/packaging\/gone-entries\.spec\.ts)$/.test(file));
}

/** What `exports` of the packages offers: `@sluice/core`, `@sluice/core/own-store`. */
function entries(): ReadonlySet<string> {
  return new Set(
    publishedPackages().flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        readonly name: string;
        readonly exports?: Readonly<Record<string, unknown>>;
      };
      return [name, ...Object.keys(exports).map((path) => name + path.slice(1))];
    }),
  );
}

/** Entries of packages of Sluice that a text names, such as `@sluice/core/redis`. Files of a package are none. */
function namedIn(text: string): readonly string[] {
  const names = text.match(/(?<!node_modules\/)@sluice\/[a-z]+\/(?!docs\b)[a-z][a-z-]*(?![\w/.*-])/g) ?? [];
  return [...new Set(names)];
}

describe('The tree', () => {
  it('names no entry of a package that is gone or was never there', () => {
    const known = entries();
    const unknown = textFiles().flatMap((file) => {
      let text: string;
      try {
        text = readFileSync(join(root, file), 'utf8');
      } catch {
        return []; // Removed, and not yet committed.
      }
      return namedIn(text)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`);
    });

    expect(unknown).toEqual([]);
  });

  it.each([
    "import { redisStore } from '@sluice/core/redis';",
    'Import it from `@sluice/core/quotas`.',
    'Use @sluice/express/redis, please.',
    'require("@sluice/core/testing")',
  ])('would be found to name one: %s', (text) => {
    expect(namedIn(text).filter((name) => !entries().has(name))).toHaveLength(1);
  });
});

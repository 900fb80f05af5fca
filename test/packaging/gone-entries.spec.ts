import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly import?: { readonly types?: string } }>>;
}

const manifests = publishedPackages().map(
  (folder) => [folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest] as const,
);

/** What `exports` of the packages offers: `@sluice/core`, `@sluice/core/own-store`. */
function entries(): ReadonlySet<string> {
  return new Set(
    manifests.flatMap(([, { name, exports = {} }]) => [
      name,
      ...Object.keys(exports).map((path) => name + path.slice(1)),
    ]),
  );
}

/** The declarations of each entry. */
const declarations = new Map(
  manifests.flatMap(([folder, { name, exports = {} }]) =>
    Object.entries(exports).flatMap(([path, conditions]) => {
      const types = typeof conditions === 'string' ? undefined : conditions.import?.types;
      return types === undefined ? [] : [[name + path.slice(1), readFileSync(join(folder, types), 'utf8')] as const];
    }),
  ),
);

/** The names that an entry exports, its own and those of another entry. */
function namesOf(entry: string): readonly string[] {
  const text = declarations.get(entry) ?? '';
  const own = [...text.matchAll(/^export (?:type )?{([^}]*)}/gm)].flatMap(([, list]) => list!.split(','));
  const others = [...text.matchAll(/^export \* from "([^"]+)"/gm)].flatMap(([, from]) => namesOf(from!));
  return [...own.map((each) => each.trim().replace(/^(type )?(.* as )?/, '')), ...others];
}

/** Names that a text imports from entries that do not export them, such as `redisStore` from `@sluice/core`. */
function misplacedIn(text: string): readonly string[] {
  const imports = text.matchAll(/\b(?:import|export) (?:type )?{([^{}]*)} from ['"](@sluice\/[a-z/-]+)['"]/g);
  return [...imports].flatMap(([, list, entry]) => {
    if (!declarations.has(entry!)) return [];
    const exported = namesOf(entry!);
    const names = list!.split(',').map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/, ''),
    );
    return names.filter((name) => name !== '' && !exported.includes(name)).map((name) => `${name} of ${entry}`);
  });
}

/** All files with their texts. One that is removed, and not yet committed, has none. */
function texts(): readonly (readonly [file: string, text: string])[] {
  return textFiles().flatMap((file) => {
    const path = join(root, file);
    return existsSync(path) ? [[file, readFileSync(path, 'utf8')] as const] : [];
  });
}

/** Entries of packages of Sluice that a text names, such as `@sluice/core/redis`. Files of a package are none. */
function namedIn(text: string): readonly string[] {
  const names = text.match(/(?<!node_modules\/)@sluice\/[a-z]+\/(?!docs\b)[a-z][a-z-]*(?![\w/.*-])/g) ?? [];
  return [...new Set(names)];
}

describe('The tree', () => {
  it('names no entry of a package that is gone or was never there', () => {
    const known = entries();
    const unknown = texts().flatMap(([file, text]) =>
      namedIn(text)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    );

    expect(unknown).toEqual([]);
  });

  it('imports from an entry only what it exports, also in pages, READMEs and programs that are not compiled', () => {
    const misplaced = texts().flatMap(([file, text]) => misplacedIn(text).map((name) => `${file}: ${name}`));

    expect(misplaced).toEqual([]);
  });

  it.each([
    ["import { createLimiter, redisStore } from '@sluice/core';", 'redisStore of @sluice/core'],
    ["import {\n  rateLimit,\n  fairBy as by,\n} from '@sluice/hono';", 'fairBy of @sluice/hono'],
  ])('would be found to import a name from the wrong entry: %j', (text, name) => {
    expect(misplacedIn(text)).toEqual([name]);
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

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { installInto } from './installed.js';

const METHODS = ['consume', 'peek', 'refund', 'extend', 'meter', 'inspect', 'of', 'policies', 'prepare'];

/** What a library exports that adds nothing of its own: a value of the type of each export, and of each method. */
function libraryOf(entry: string, exported: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exported).filter((name) => name !== 'default' && name !== 'module.exports');
  const values = names.map((name) => {
    if (typeof exported[name] !== 'function') return `export const ${name} = sluice.${name};`;
    const type = /^[A-Z]/.test(name) ? `typeof sluice.${name}` : `ReturnType<typeof sluice.${name}>`;
    // The type of a call is inferred, as in: export const key = byIp().
    return `export const ${name} = (() => undefined as unknown as ${type})();`;
  });
  const limiters = METHODS.map(
    (name) => `export const ${name}OfLimiter = (() => undefined as never as ReturnType<Limiter['${name}']>)();`,
  );
  const own =
    'createLimiter' in exported ? [`type Limiter = ReturnType<typeof sluice.createLimiter>;`, ...limiters] : [];
  // TypeScript names a type of the framework by the package that the program imports itself.
  const framework = entry === '@sluice/express' ? [`import 'express';`] : [];
  return [...framework, `import * as sluice from '${entry}';`, ...values, ...own].join('\n');
}

/** As pnpm installs one package: what it depends on is in a folder where no program finds it. */
function installAlone(folder: string, name: string): void {
  const store = join(folder, 'node_modules', '.pnpm', `@sluice+${name}`);
  const frameworks = ['express', '@types/express', 'fastify', 'hono', '@nestjs/common', '@nestjs/core', 'rxjs'];
  const others = [...frameworks, 'reflect-metadata', 'ioredis'];
  installInto(store, [name], others);
  for (const each of [`@sluice/${name}`, ...others]) {
    const to = join(folder, 'node_modules', each);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(realpathSync(join(store, 'node_modules', each)), to);
  }
}

const OPTIONS = {
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  module: 'nodenext',
  target: 'es2022',
  skipLibCheck: true,
  outDir: 'out',
  types: [],
};

describe('A library that exports what a package gives it', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-types-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['core', ''],
    ['redis', ''],
    ['http', ''],
    ['express', ''],
    ['fastify', ''],
    ['hono', ''],
    ['nestjs', ''],
  ])('has declarations where only @sluice/%s is installed, for the entry %j', async (name, path) => {
    installAlone(folder, name);
    const entry = `@sluice/${name}${path}`;
    const list = `import('${entry}').then((all) => console.log(JSON.stringify(Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, typeof value])))));`;
    writeFileSync(join(folder, 'list.mjs'), list);
    const { stdout } = await execute(process.execPath, ['list.mjs'], { cwd: folder });
    const kinds = Object.entries(JSON.parse(stdout) as Record<string, string>);
    const exported = Object.fromEntries(kinds.map(([each, kind]) => [each, kind === 'function' ? () => 0 : kind]));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['index.ts'] }));
    writeFileSync(join(folder, 'index.ts'), libraryOf(entry, exported));
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const errors = await execute(tsc, ['--project', '.'], { cwd: folder }).then(
      () => '',
      ({ stdout: text }: { stdout: string }) => text,
    );

    expect(errors).toBe('');
  });
});

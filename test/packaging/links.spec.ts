import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { defaults } from '../monitoring/settings.js';

const core = join(root, 'packages', 'core');
const prometheus = join(root, 'packages', 'prometheus');

/** Prints what an error and a warning of core link to. */
const PROGRAM = `
const { createLimiter } = require('@sluice/core');
process.on('warning', ({ detail }) => console.log(detail.replace('See ', '')));
try { createLimiter({ limit: 0, window: '1m', key: String }); } catch ({ help }) { console.log(help); }
createLimiter({ limit: 1, window: 5, key: String });
`;

/** True for a file with a heading of the name behind the hash. */
function isSection(folder: string, link: string): boolean {
  const [file = '', name] = link.split('#');
  const path = join(folder, file);
  if (!existsSync(path)) return false;
  const headings = readFileSync(path, 'utf8').match(/^## .+$/gm) ?? [];
  return headings.some((heading) => heading.slice(3).toLowerCase() === name);
}

describe('links of errors and warnings', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-links-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Installs what the package publishes. */
  function install(at: string): void {
    const path = join(folder, at);
    mkdirSync(path, { recursive: true });
    for (const each of ['dist', 'docs', 'package.json'])
      cpSync(join(core, each), join(path, each), { recursive: true });
    symlinkSync(join(core, 'node_modules'), join(path, 'node_modules'));
  }

  const linksIn = (cwd: string) =>
    execFileSync(process.execPath, ['--no-warnings', '-e', PROGRAM], { cwd, encoding: 'utf8' }).trim().split('\n');

  it('name a file that is there, as npm installs it', () => {
    install('node_modules/@sluice/core');
    const links = linksIn(folder);

    expect(links).toHaveLength(2);
    expect(links.filter((link) => !isSection(folder, link))).toEqual([]);
    // No client should read where the server is.
    expect(links.filter((link) => link.startsWith('/') || link.includes(folder))).toEqual([]);
  });

  it('name a file that is there, as pnpm links it for an adapter', () => {
    const real = 'node_modules/.pnpm/@sluice+core@0.1.0/node_modules/@sluice/core';
    install(real);
    const adapter = join(folder, 'node_modules/.pnpm/adapter/node_modules/@sluice');
    mkdirSync(adapter, { recursive: true });
    symlinkSync(join(folder, real), join(adapter, 'core'));
    const program = PROGRAM.replace('@sluice/core', join(adapter, 'core'));
    const links = execFileSync(process.execPath, ['--no-warnings', '-e', program], { cwd: folder, encoding: 'utf8' });

    expect(
      links
        .trim()
        .split('\n')
        .filter((link) => !isSection(folder, link)),
    ).toEqual([]);
  });

  it.each(['test', 'examples/express-api'])('name a file that is there, in %s of the clone', (place) => {
    const cwd = join(root, place);
    const program = PROGRAM.replace('@sluice/core', join(core, 'dist/cjs/index.js'));
    const links = execFileSync(process.execPath, ['--no-warnings', '-e', program], { cwd, encoding: 'utf8' });

    expect(
      links
        .trim()
        .split('\n')
        .filter((link) => !isSection(cwd, link)),
    ).toEqual([]);
  });

  it('name the published page where a bundler has moved the code', () => {
    install('node_modules/@sluice/core');
    const file = join(folder, 'node_modules/@sluice/core/dist/esm/shared.js');
    // As bundlers for the edge do, whose modules know no folder.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('import.meta.dirname', 'undefined'));

    expect(linksIn(folder)[0]).toBe('https://unpkg.com/@sluice/core/docs/reference/errors.md#limit_invalid');
  });
});

describe('links of alerts', () => {
  it('name a page that the package publishes', () => {
    const { files } = JSON.parse(readFileSync(join(prometheus, 'package.json'), 'utf8')) as { files: string[] };
    const rules = ['sluice-alerts.yml', 'redis-alerts.yml'].map((file) =>
      readFileSync(join(root, 'monitoring', file), 'utf8'),
    );
    const links = rules.flatMap((text) => [...text.matchAll(/runbook_url: (\S+)/g)].map(([, link]) => link!));
    const published = 'https://unpkg.com/@sluice/prometheus/';

    expect(files).toContain('docs');
    expect(defaults.guide.startsWith(published)).toBe(true);
    expect(links.length).toBeGreaterThan(14);
    expect(links.filter((link) => !isSection(prometheus, link.replace(published, '')))).toEqual([]);
  });
});

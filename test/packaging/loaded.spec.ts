import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { installInto } from './installed.js';

/** The rooms of a program that limits in memory has no part in. Packages with a list of packages show the others. */
const ROOMS = ['packages/http/src/lists', 'packages/core/src/scripts', 'packages/core/src/stores/with-lease'];

/** Prints the scripts that V8 has parsed, and their texts. */
const PRINT = `
const session = new Session();
session.connect();
const parsed = [];
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => parsed.push([scriptId, url]));
session.post('Debugger.enable');
const print = () => console.log(JSON.stringify(parsed
  .filter(([, url]) => url.includes('/node_modules/'))
  .map(([scriptId, url]) => {
    let text = '';
    session.post('Debugger.getScriptSource', { scriptId }, (_, { scriptSource }) => (text = scriptSource));
    return [url.split('/node_modules/').pop(), text];
  })));`;

const PROGRAMS = {
  import: (name: string) => `import { Session } from 'node:inspector';${PRINT}
    await import('${name}');
    print();`,
  require: (name: string) => `const { Session } = require('node:inspector');${PRINT}
    require('${name}');
    print();`,
};

/** Functions and classes that the files of a folder export. */
function declaredIn(folder: string): readonly string[] {
  const files = readdirSync(join(root, folder)).filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts');
  const texts = files.map((name) => readFileSync(join(root, folder, name), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)].map(([, name]) => name!),
  );
}

describe('A process that imports @sluice/express', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-loaded-'));
    // Those that it might load are there.
    const others = ['redis', 'quotas', 'overload', 'policies', 'metrics'];
    installInto(folder, ['express', ...others], ['express', 'ioredis']);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The file and the text of each script of a package that a program loads. */
  async function loadedBy(format: 'import' | 'require', name: string): Promise<readonly (readonly [string, string])[]> {
    const type = format === 'import' ? ['--input-type=module'] : [];
    const args = ['--no-warnings', ...type, '--eval', PROGRAMS[format](name)];
    const { stdout } = await execute(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as readonly (readonly [string, string])[];
  }

  it.each(['import', 'require'] as const)(
    'loads nothing of Redis, lists, leases, quotas, overload, policies and metrics by %s',
    async (format) => {
      const scripts = await loadedBy(format, '@sluice/express');
      const packages = new Set(scripts.map(([file]) => /^(@[^/]+\/)?[^/]+/.exec(file)![0]));
      const ours = scripts.filter(([file]) => file.startsWith('@sluice/'));
      const declared = (name: string) =>
        ours.some(([, text]) =>
          new RegExp(`^(async )?(function|class) ${name}\\b|^(const|let|var) ${name} =`, 'm').test(text),
        );

      expect([...packages].filter((name) => name.startsWith('@sluice/')).toSorted()).toEqual([
        '@sluice/core',
        '@sluice/express',
        '@sluice/http',
      ]);
      expect([...packages]).not.toContain('ioredis');
      expect(
        ours.map(([file]) => basename(file)).filter((file) => /list|redis|scripts|own-store|between/.test(file)),
      ).toEqual([]);
      expect(ROOMS.flatMap(declaredIn).filter(declared)).toEqual([]);
      expect(ours.filter(([, text]) => text.includes('redis.call('))).toEqual([]);
    },
  );

  it('would be seen to load a list', async () => {
    const scripts = await loadedBy('import', '@sluice/http/lists');
    const names = declaredIn('packages/http/src/lists');

    expect(names).toEqual(expect.arrayContaining(['ipList', 'RefreshedList']));
    expect(scripts.some(([, text]) => /^function ipList\b/m.test(text))).toBe(true);
  });
});

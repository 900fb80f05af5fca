import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

describe('How to read the code', () => {
  it('lists the files that a request in memory runs through', async () => {
    const { stdout } = await execute(process.execPath, [join(root, 'scripts', 'request-path.mjs'), 'memory'], {
      cwd: root,
    });
    const onPath = [...stdout.matchAll(/^(packages\/\S+): /gm)].map(([, file]) => file!);
    const listed = [...page('reading.md').matchAll(/^\| `(packages\/[^`]+)`/gm)].map(([, file]) => file!);

    expect(listed.toSorted()).toEqual(onPath.toSorted());
  });
});

describe('The layout in CONTRIBUTING.md', () => {
  it('lists the folders of core, and no folder that is not there', () => {
    const [, block] = /```text\npackages\/core\/src\/\n([\s\S]*?)\npackages\//.exec(page('../CONTRIBUTING.md'))!;
    let parent = '';
    const listed = block!.split('\n').map((line) => {
      const [, indent, name] = /^( +)([\w-]+)\//.exec(line)!;
      const depth = indent!.length / 2;
      const path = depth === 1 ? name! : join(...parent.split('/').slice(0, depth - 1), name!);
      parent = path;
      return path;
    });
    const source = join(root, 'packages', 'core', 'src');
    const folders = (below: string) =>
      readdirSync(join(source, below), { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map(({ name }) => join(below, name));

    expect(listed.filter((path) => !path.includes('/')).toSorted()).toEqual(folders('').toSorted());
    for (const parts of ['limiter', 'stores']) {
      expect(listed).toEqual(expect.arrayContaining(folders(parts)));
    }
  });

  it.each(['packages/redis/src', 'packages/http/src', 'test'])('lists the folders of %s', (source) => {
    const [, lines = ''] = new RegExp(`^${source}/.*\\n((?: +.*\\n)+)`, 'm').exec(page('../CONTRIBUTING.md')) ?? [];
    const listed = [...lines.matchAll(/^ {2}([\w-]+)\//gm)].map(([, name]) => name!);
    const folders = readdirSync(join(root, source), { withFileTypes: true })
      .filter((each) => each.isDirectory() && each.name !== 'node_modules')
      .map(({ name }) => name);

    expect(listed.toSorted()).toEqual(folders.toSorted());
  });
});

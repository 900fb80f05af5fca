import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { homePage } from '../../site/home-page.mjs';

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8');

describe('homePage', () => {
  const page = homePage(read('README.md'), (name) => read('packages', name, 'README.md'));

  it('begins with what to install and what to write', () => {
    const [first = ''] = page.split('<MovingPicture />');

    expect(first).toContain('```sh\nnpm install @sluice/express\n```');
    expect(first).toContain("```ts\napp.use(rateLimit({ limit: 100, window: '1m' }));\n```");
  });

  it.each(['Express', 'Fastify', 'NestJS', 'Hono', 'No framework'])('has a program for %s', (title) => {
    const tab = page.split(`\`\`\`ts [${title}]\n`)[1]?.split('```')[0];

    expect(tab).toMatch(/^\/\/ npm install @sluice\/(\w+)\nimport [^]* from '@sluice\/\1'/);
    expect(tab).toContain('limit: ');
  });

  it('continues with the rest of README.md', () => {
    expect(page).toContain(read('README.md').split('## Several limits, decided together')[1]!);
  });

  it('says what README.md must begin with', () => {
    expect(() => homePage('# Sluice\n', () => '')).toThrow('a block of sh and a block of ts');
  });
});

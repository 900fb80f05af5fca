import { join } from 'node:path/posix';
import { shippedPages } from '../../scripts/ship-pages.mjs';
import { anchorOf } from '../../site/anchor.mjs';
import { page } from './pages.js';

/** As npm installs them: all packages beside each other. */
const installed = new Map(
  [...shippedPages()].flatMap(([name, pages]) =>
    [...pages].map(([path, text]) => [join(name, 'docs', path), text] as const),
  ),
);
const proseOf = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '');
const linksOf = (text: string) => [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);

describe('the pages in the packages', () => {
  it('are the index, every guide and the reference in core, and the page of its own in an adapter', () => {
    const paths = [...installed.keys()];

    expect(paths).toEqual(
      expect.arrayContaining([
        'core/docs/README.md',
        'core/docs/guide/getting-started.md',
        'core/docs/guide/login.md',
        'core/docs/reference/express.md',
        'core/docs/reference/warnings.md',
        'express/docs/reference/express.md',
        'migrate/docs/reference/migrate.md',
        'prometheus/docs/reference/alerts.md',
      ]),
    );
    expect(paths.filter((path) => path.startsWith('core/docs/guide/')).length).toBeGreaterThan(40);
  });

  it('link only pages and sections that are installed', () => {
    const broken = [...installed].flatMap(([path, text]) =>
      linksOf(text)
        .filter((link) => !/^https?:|\.svg$/.test(link) && !isThere(path, link))
        .map((link) => `${path}: ${link}`),
    );

    expect(broken).toEqual([]);
  });

  it('keep the code of a program as it is', () => {
    const code = /^```[^]*?^```/gm;
    const [shipped, written] = [
      installed.get('core/docs/guide/plans-and-costs.md')!,
      page('docs/guide/plans-and-costs.md').text,
    ];

    expect(shipped.match(code)).toEqual(written.match(code));
  });
});

function isThere(from: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const text = installed.get(target === '' ? from : join(from, '..', target));
  return text !== undefined && (anchor === undefined || anchorsOf(text).includes(anchor));
}

function anchorsOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
}

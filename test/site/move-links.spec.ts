import { moveLinks } from '../../site/move-links.mjs';

const SOURCES = 'https://example.com/blob/main';

describe('moveLinks', () => {
  it.each([
    ['a page beside it', '[tiers](tiers.md)', '[tiers](./tiers.md)'],
    ['a page and an anchor', '[`a`](../guide/redis.md#cluster)', '[`a`](../guide/redis.md#cluster)'],
    ['an index of a folder', '[all](../decisions/README.md)', '[all](../decisions/index.md)'],
    ['the index of the documentation', '[all](../README.md)', '[all](../pages.md)'],
    ['a page at the root', '[changes](../../CHANGELOG.md#090)', '[changes](../changes.md#090)'],
    ['a picture', '![a [b] c](../guide/images/a.png)', '![a [b] c](../guide/images/a.png)'],
    ['a source', '[run](../../scripts/run.mjs)', `[run](${SOURCES}/scripts/run.mjs)`],
    ['data', '[results](../benchmarks/node-24.json)', `[results](${SOURCES}/docs/benchmarks/node-24.json)`],
    ['a folder', '[bench](../../bench/)', `[bench](${SOURCES}/bench/)`],
    ['another site', '[RFC](https://example.com/a.md)', '[RFC](https://example.com/a.md)'],
    ['an anchor of the same page', '[below](#below)', '[below](#below)'],
  ])('moves a link to %s', (_, link, moved) => {
    expect(moveLinks(`See ${link}.`, 'docs/reference/limiter.md', SOURCES)).toBe(`See ${moved}.`);
  });

  it('leaves the text of a link to a source when the address of the sources is unknown', () => {
    expect(moveLinks('See [run](scripts/run.mjs), [b](docs/proof.md).', 'README.md')).toBe('See run, [b](./proof.md).');
  });

  it('leaves programs as they are', () => {
    const program = '```ts\nconst [a](b.md)\n```\n';

    expect(moveLinks(`[a](README.md)\n${program}[a](README.md)`, 'docs/proof.md')).toBe(
      `[a](./pages.md)\n${program}[a](./pages.md)`,
    );
  });
});

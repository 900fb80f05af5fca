import { linkHeadings } from '../../site/heading-links.mjs';

describe('linkHeadings', () => {
  it('leads a link to the only heading of its name', () => {
    const text = '##### status()\n\n> [`UsageExportStatus`](#usageexportstatus-1)\n\n### UsageExportStatus\n';

    expect(linkHeadings(text)).toContain('](#usageexportstatus)');
  });

  it.each(['## Tier\n\n[`Tier`](#tier-1)\n\n### Tier\n', '<a id="tier-1"></a> `tier`\n\n[`tier`](#tier-1)\n'])(
    'keeps the number of a heading that comes twice, and of a row of a table: %j',
    (text) => {
      expect(linkHeadings(text)).toBe(text);
    },
  );
});

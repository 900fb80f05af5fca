import { models } from '../models/models.mjs';
import { modelsPage } from './model-results.js';
import { page } from './pages.js';

describe('docs/models.md', () => {
  it('has what Spin has found (otherwise run `npm run tool -- models --save`, also with --broken, and `npm run reference`)', () => {
    expect(page('docs/models.md').text).toBe(modelsPage());
  });

  it('has a break of each claim that violates no other one', () => {
    const byFile = new Map(models.map(({ file }) => [file, models.filter((each) => each.file === file)]));
    const without = [...byFile].flatMap(([file, all]) => {
      const own = all.flatMap(({ breaks }) => breaks.flatMap((each) => (each.with ? [] : each.claim)));
      return Object.keys(all[0]!.claims).flatMap((claim) => (own.includes(claim) ? [] : [`${file}: ${claim}`]));
    });

    expect(without).toEqual([]);
  });
});

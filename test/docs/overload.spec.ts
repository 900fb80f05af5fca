import { overloadGuide, overloadPage } from './overload-results.js';
import { page } from './pages.js';

describe.each([
  ['docs/benchmarks/overload.md', overloadPage],
  ['docs/guide/overload.md', overloadGuide],
])('%s', (path, written) => {
  it('has the figures of runs whose output is kept (otherwise run `npm run reference`)', () => {
    expect(page(path).text).toBe(written());
  });
});

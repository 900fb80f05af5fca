import { runTool } from '../../../scripts/run.mjs';

describe('Classes with limits on their methods', () => {
  it.each([
    ['standard', []],
    ['legacy', ['--experimentalDecorators']],
  ])('compile with %s decorators', async (_kind, options) => {
    const code = await runTool('tsc', ['--project', 'test/adapters/decorators/fixtures', '--noEmit', ...options]);

    expect(code).toBe(0);
  });
});

import { runTool } from '../../../scripts/run.mjs';

describe('@limited', () => {
  it.each([
    ['standard', []],
    ['legacy', ['--experimentalDecorators']],
  ])('compiles as a %s decorator', async (_kind, options) => {
    const code = await runTool('tsc', ['--project', 'test/adapters/decorators/fixtures', '--noEmit', ...options]);

    expect(code).toBe(0);
  });
});

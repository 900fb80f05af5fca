import { runTool } from '../../../scripts/run.mjs';

describe('@limited', () => {
  // npm run lint compiles the same file, with the decorators of the standard.
  it('compiles as a legacy decorator', async () => {
    const code = await runTool('tsc', [
      '--project',
      'test/adapters/decorators/fixtures',
      '--experimentalDecorators',
      '--checkers',
      '1',
    ]);

    expect(code).toBe(0);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

describe('The declarations of a library', () => {
  // Without an export of a type that it infers, TypeScript asks the author of the library for an annotation.
  it('name every type that it infers from the built packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-declarations-'));
    try {
      const project = join(root, 'test', 'packaging', 'declarations');
      const tsc = join(root, 'node_modules', '.bin', 'tsc');
      execFileSync(tsc, ['--project', project, '--outDir', folder, '--checkers', '1'], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
      const text = readFileSync(join(folder, 'library.d.ts'), 'utf8');

      expect(text).toContain('core.Budgets');
      expect(text).not.toContain('/dist/');
    } catch (error) {
      // What the compiler says stands on its standard output.
      throw new Error((error as { stdout?: string }).stdout ?? String(error), { cause: error });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '../policies/text-of.js';

/** The path of a file of policies with one tier. */
export function fileOfPolicies(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sluice-prometheus-')), 'limits.yaml');
  writeFileSync(file, textOf(5).replace('tenant', 'ip'));
  return file;
}

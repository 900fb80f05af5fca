import { join } from 'node:path';
import { transformFileSync, type TransformConfig } from '@swc/core';
import { root } from '../../../scripts/root.mjs';
import type * as Apis from './fixtures/apis.js';

/** The fixtures, compiled with each kind of decorators. */
export const compiled: readonly [kind: string, apis: typeof Apis][] = [
  ['standard', compile({ decoratorVersion: '2022-03' })],
  ['legacy', compile({ legacyDecorator: true })],
];

/** Compiles by hand, because the transform of the tests supports decorators of neither kind. */
function compile(transform: TransformConfig): typeof Apis {
  const { code } = transformFileSync(join(root, 'test/adapters/decorators/fixtures/apis.ts'), {
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript', decorators: true }, transform, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const exported = {};
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
  (new Function('exports', code) as (exports: object) => void)(exported);
  return exported as typeof Apis;
}

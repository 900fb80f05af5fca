/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleNameMapper: {
    '^@sluice/core$': '<rootDir>/packages/core/src/index.ts',
    '^@sluice/core/testing$': '<rootDir>/packages/core/src/testing/index.ts',
    // Sources name the file that will be there after the build.
    '^(\\.{1,2}/.+)\\.js$': ['$1.ts', '$1.js'],
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json'],
  transform: {
    '\\.(ts|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  coverageProvider: 'v8',
  collectCoverageFrom: ['packages/*/src/**/*.ts', '!**/*.spec.ts', '!**/index.ts'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
  testTimeout: 30_000,
  maxWorkers: 2,
};

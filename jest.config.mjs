/** What Nest is written in: the decorators that TypeScript had first, and here without their metadata. */
const decorators = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    target: 'es2022',
  },
  module: { type: 'commonjs' },
};

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testEnvironment: '<rootDir>/scripts/jest-environment.cjs',
  runtime: '<rootDir>/scripts/jest-runtime.cjs',
  testSequencer: '<rootDir>/scripts/jest-sequencer.cjs',
  // npm run docs -- --check runs the spec of the built site.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/test/site/built-site'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/support/fast-check.ts',
    '^@sluice/([a-z]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^@sluice/([a-z]+)/([a-z-]+)$': '<rootDir>/packages/$1/src/$2/index.ts',
    // Sources name the file that will be there after the build.
    '^(\\.{1,2}/.+)\\.js$': ['$1.ts', '$1.js'],
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json'],
  transform: {
    '/test/adapters/nestjs/.+\\.ts$': ['@swc/jest', decorators],
    // These are ES modules only, which jest does not load as they are.
    '/node_modules/(@nestjs|cookie)/.+\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
    '\\.(ts|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/|@nestjs/|cookie/)'],
  coverageProvider: 'v8',
  collectCoverageFrom: [
    'packages/*/src/**/*.ts',
    '!**/*.spec.ts',
    '!**/index.ts',
    // Types alone: no code to cover.
    '!packages/core/src/algorithms/algorithm.ts',
    '!packages/core/src/model/{outcome,receipt}.ts',
  ],
  // With --coverage: a line of these without a test fails the run.
  coverageThreshold: {
    global: {},
    './packages/core/src/model/': { lines: 100 },
    './packages/core/src/algorithms/': { lines: 100 },
  },
  setupFilesAfterEnv: ['<rootDir>/test/support/quick-expect.ts', '<rootDir>/test/support/own-events.ts'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
  // Only a test that hangs takes as long, also on one core that is busy with something else.
  testTimeout: 240_000,
  // Half of the time a spec waits for timers, servers and child processes: these keep two cores busy.
  maxWorkers: 4,
};

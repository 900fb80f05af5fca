import { installedPart } from '../../scripts/install.mjs';

const manifest = {
  name: '@sluice/core',
  version: '0.2.0',
  exports: { '.': './dist/esm/index.js' },
  dependencies: { ioredis: '^5.6.0' },
};
const partOf = (changes: object) => installedPart(JSON.stringify({ ...manifest, ...changes }));

describe('What an installation is made from', () => {
  it('is the same after a package has got another entry', () => {
    const exports = { ...manifest.exports, './scripts': './dist/esm/scripts.js' };

    expect(partOf({ exports })).toBe(partOf({}));
  });

  it.each([{ dependencies: { ioredis: '^6.0.0' } }, { version: '0.3.0' }, { devDependencies: { jest: '30' } }])(
    'is another one after a change to %j',
    (change) => {
      expect(partOf(change)).not.toBe(partOf({}));
    },
  );
});

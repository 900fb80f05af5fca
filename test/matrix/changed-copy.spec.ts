import { withVersions } from './changed-copy.js';

describe('withVersions', () => {
  it('changes what a package depends on, and adds nothing', () => {
    const manifest = {
      name: '@sluice/express',
      dependencies: { '@sluice/core': 'workspace:^' },
      devDependencies: { express: '^5.2.0', supertest: '^7.1.0' },
      peerDependencies: { express: '^4.18.0 || ^5.0.0' },
    };
    const changes = [
      { name: 'express', range: '^4.18.0', from: '5' },
      { name: 'ioredis', range: '^5.11.0', from: '6' },
    ];

    expect(withVersions(manifest, changes)).toEqual({
      ...manifest,
      devDependencies: { express: '^4.18.0', supertest: '^7.1.0' },
    });
  });

  it('changes the packages of a scope that have its version, and no alias', () => {
    const dependencies = {
      '@nestjs/core': '^12.0.0',
      '@nestjs/testing': '12.1.0',
      '@nestjs/throttler': '^6.7.0',
      old: 'npm:@nestjs/core@^12.0.0',
    };

    expect(withVersions({ dependencies }, [{ name: '@nestjs', range: '^11.0.0', from: '12' }])).toEqual({
      dependencies: { ...dependencies, '@nestjs/core': '^11.0.0', '@nestjs/testing': '^11.0.0' },
    });
  });
});

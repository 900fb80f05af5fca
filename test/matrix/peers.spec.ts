import { peersOf } from './peers.js';

const CORE = ['core', { peerDependencies: { ioredis: '^5.11.0 || ^6.0.0' } }] as const;
const NEST = [
  'nestjs',
  {
    peerDependencies: {
      '@nestjs/common': '^11.0.0 || ^12.0.0',
      '@nestjs/core': '^11.0.0 || ^12.0.0',
      '@types/node': '^20.0.0',
      ioredis: '^5.11.0 || ^6.0.0',
    },
  },
] as const;

describe('peersOf', () => {
  it('joins the packages that have the same peer', () => {
    expect(peersOf([CORE, NEST, ['cli', {}]])).toContainEqual({
      name: 'ioredis',
      members: ['ioredis'],
      range: '^5.11.0 || ^6.0.0',
      usedBy: ['core', 'nestjs'],
    });
  });

  it('joins the members of a scope, and leaves types out', () => {
    expect(peersOf([NEST]).map(({ name, members }) => [name, members])).toEqual([
      ['@nestjs', ['@nestjs/common', '@nestjs/core']],
      ['ioredis', ['ioredis']],
    ]);
  });

  it('refuses packages that admit different versions', () => {
    expect(() => peersOf([CORE, ['express', { peerDependencies: { ioredis: '^6.0.0' } }]])).toThrow(
      'express admits ioredis ^6.0.0, and core ^5.11.0 || ^6.0.0',
    );
  });
});

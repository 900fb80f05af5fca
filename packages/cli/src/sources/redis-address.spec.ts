import * as fc from 'fast-check';

import { parseAddress } from './redis-address.js';

describe('parseAddress', () => {
  it.each([
    ['redis://host', { url: 'redis://host' }],
    ['rediss://user:pass@host:6380/2', { url: 'rediss://user:pass@host:6380/2' }],
    ['redis://a:7000, redis://b:7000', { cluster: ['redis://a:7000', 'redis://b:7000'] }],
    ['redis-sentinel://a#main', { sentinels: [{ host: 'a', port: 26_379 }], name: 'main', connection: {} }],
    [
      'redis-sentinel://user:p%40ss@a:1,[::1]:2/3#main',
      {
        sentinels: [
          { host: 'a', port: 1 },
          { host: '::1', port: 2 },
        ],
        name: 'main',
        connection: { username: 'user', password: 'p@ss', db: 3 },
      },
    ],
    [
      'redis-sentinel://secret@a#main',
      { sentinels: [{ host: 'a', port: 26_379 }], name: 'main', connection: { password: 'secret' } },
    ],
  ])('reads %s', (text, options) => {
    expect(parseAddress(text)).toEqual(options);
  });

  it.each([
    '',
    'host:6379',
    'http://host',
    'redis://',
    'redis://a,b',
    'redis-sentinel://a',
    'redis-sentinel://%ZZ@a#x',
  ])('refuses %j, and names the forms', (text) => {
    expect(() => parseAddress(text)).toThrow(
      expect.objectContaining({
        message: 'SLUICE_REDIS_URL must have one of these forms:',
        more: expect.arrayContaining([expect.stringMatching(/^ {2}redis:/)]),
      }),
    );
  });

  it('never shows a text that it refuses', () => {
    const hostile = fc.string({ minLength: 1 }).map((text) => `redis-sentinel://hunter2-${text}`);
    fc.assert(
      fc.property(hostile, (text) => {
        let message = '';
        try {
          parseAddress(text);
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message).not.toContain('hunter2');
      }),
    );
  });
});

import { createProgram, type ProgramOptions } from '../../packages/server/src/program/program-options.js';

/** What the command understands of its arguments. */
function read(...args: readonly string[]): ProgramOptions {
  const program = createProgram('0.0.0').configureOutput({ writeErr: () => undefined });
  program.parse(['limits.yaml', ...args], { from: 'user' });
  return program.opts<ProgramOptions>();
}

describe('npx @sluice/server', () => {
  it.each<readonly [readonly string[], string | false | undefined]>([
    [[], undefined],
    [['--fleet', 'eu'], 'eu'],
    [['--no-fleet'], false],
  ])('reads the policies in Redis that %p names', (args, fleet) => {
    expect(read(...args).fleet).toBe(fleet);
  });

  it('takes addresses of Sentinels', () => {
    const { redisSentinels } = read(
      '--redis-sentinels',
      '192.0.2.7:26379',
      '[2001:db8::7]:26380',
      '--redis-name',
      'main',
    );

    expect(redisSentinels).toEqual([
      { host: '192.0.2.7', port: 26_379 },
      { host: '2001:db8::7', port: 26_380 },
    ]);
  });

  it.each([
    [['--redis-sentinels', '192.0.2.7'], /must be a host and a port, such as 192\.0\.2\.7:26379/],
    [['--redis-sentinels', 'a:1', '--redis', 'redis://a'], /cannot be used with option/],
    [['--http-port', 'web'], /must be a port from 0 to 65535, or none/],
    [['--share', '2'], /above 0 and at most 1/],
  ])('refuses %p', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});

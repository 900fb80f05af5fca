import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { quotedKey, shell } from './shell.js';

/** Without 0, which no argument can have. */
const word = fc.string({ unit: fc.integer({ min: 1, max: 0x2fff }).map((code) => String.fromCodePoint(code)) });

/** The arguments that bash reads. */
function argumentsOf(command: string): string[] {
  return execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

describe('shell', () => {
  it('makes one word of each value, whatever it holds', () => {
    const words = fc.sample(word, 400).filter((each) => each.isWellFormed());
    const nasty = ["'; touch pwned; echo '", '$(id)', '`id`', '-n', '', '~', 'a b', '\u001b[2J', "\n'\\"];

    expect(argumentsOf(shell`${[...words, ...nasty]}`)).toEqual([...words, ...nasty]);
  });

  it('leaves simple words as they are', () => {
    expect(shell`redis-cli -h ${'10.0.0.7'} -p ${6_379} ACL SETUSER ${'app'} ${['+get', '+acl|whoami']}`).toBe(
      "redis-cli -h 10.0.0.7 -p 6379 ACL SETUSER app +get '+acl|whoami'",
    );
  });
});

describe('quotedKey', () => {
  it('is printable ASCII without what a shell reads, for any bytes', () => {
    const isPlain = (bytes: Uint8Array) => /^"[\x20-\x7e]*"$/.test(quotedKey(Buffer.from(bytes)));

    expect(() => fc.assert(fc.property(fc.uint8Array(), isPlain))).not.toThrow();
    expect(quotedKey(Buffer.from('rl:\u001b"\'\\'))).toBe(String.raw`"rl:\x1b\x22\x27\x5c"`);
  });
});

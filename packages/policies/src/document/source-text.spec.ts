import { readDocument } from './read-document.js';
import { SourceText } from './source-text.js';

const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

function documentWith(limit: string): string {
  return `version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: hour, key: ip, limit: ${limit}, window: 1h }\n`;
}

/** Items that searches of arrays go through at most. Time would measure the machine. */
function stepsOf(run: () => unknown): number {
  let steps = 0;
  const names = ['some', 'find', 'findIndex', 'includes', 'indexOf', 'every', 'filter'] as const;
  const spies = names.map((name) => {
    const real = Array.prototype[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(Array.prototype, name as never).mockImplementation(function (
      this: unknown[],
      ...args: unknown[]
    ) {
      steps += this.length;
      return real.apply(this, args);
    } as never);
  });
  try {
    run();
  } catch {
    // Whether it is taken is what other specs say.
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return steps;
}

const read = (text: string) => readDocument('limits.yaml', text, { keys: {}, plans: () => 'pro', takesAnyName: false });

describe('SourceText', () => {
  it.each<[string, (count: number) => string]>([
    ['keys', (count) => lines(count, (index) => `key${index}: 1`).join('\n')],
    ['keys in braces', (count) => `{${lines(count, (index) => `key${index}: 1`).join()}}`],
    ['plans', (count) => documentWith(`{ ${lines(count, (index) => `plan${index}: 1`).join()}, otherwise: 1 }`)],
    ['anchors', (count) => `a:\n${lines(count, (index) => `- &a${index} 1`).join('\n')}`],
    ['aliases', (count) => `b: &b 1\na:\n${lines(count, () => '- *b').join('\n')}`],
    [
      'overrides',
      (count) =>
        `${documentWith('5')}overrides:\n${lines(count, (index) => `- { tier: hour, identity: '192.0.2.${index}', limit: 1, reason: x }`).join('\n')}`,
    ],
  ])('reads twice as many %s in twice as many steps', (_what, textOf) => {
    const [few, many] = [textOf(1_200), textOf(2_400)].map((text) => stepsOf(() => read(text))) as [number, number];

    expect(many).toBeLessThan(2.2 * few + 5_000);
  });

  it.each([
    ['anchors', `a:\n${lines(1_001, (index) => `- &a${index} 1`).join('\n')}`, '1002:3'],
    ['anchors of maps', `a:\n${lines(1_001, (index) => `- &a${index} {}`).join('\n')}`, '1002:3'],
    ['aliases', `b: &b 1\na:\n${lines(1_000, () => '- *b').join('\n')}`, '1002:3'],
  ])('refuses more than 1 000 %s, with the place of the first', (_what, text, place) => {
    expect(() => new SourceText('limits.yaml', text)).toThrow(
      new RegExp(`^limits.yaml:${place.split(':')[0]}:\\d+ there must be at most 1000 anchors and aliases`),
    );
  });

  it.each([
    ['in a map within a list', 'a:\n  - { b: 1, b: 2 }', '2:13'],
    ['as a number and a text', "a: { 1: x, '1': y }", '1:12'],
  ])('refuses a key twice %s', (_what, text, place) => {
    expect(() => new SourceText('limits.yaml', text)).toThrow(`limits.yaml:${place} Map keys must be unique`);
  });
});

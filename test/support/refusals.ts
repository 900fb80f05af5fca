import { definePolicy } from '../../packages/core/src/algorithms/policy-options.js';

/** Options that replace right ones, the code of the error, the option that it names, and words of its message. */
type Refusal = readonly [wrong: object, code: string, option: string, words?: RegExp];

/** Tests that options of a policy are a ConfigError when one of them is wrong. */
export function refusals(right: object, cases: readonly Refusal[]): void {
  const complete = cases.map(([wrong, code, option, words = /^tier "login"/]) => ({ wrong, code, option, words }));
  it.each(complete)('rejects $wrong', ({ wrong, code, option, words }) => {
    const define = () => definePolicy({ ...right, ...wrong } as never, 'tier "login"');

    const value = option in wrong && code !== 'OPTION_UNKNOWN' ? { value: keptOf(wrong[option as never]) } : {};
    expect(define).toThrow(expect.objectContaining({ name: 'ConfigError', code, option, ...value }));
    expect(define).toThrow(words);
  });
}

/** An error keeps no object: it may be a request. */
function keptOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? undefined : value;
}

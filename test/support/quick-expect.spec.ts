type Assertion = Readonly<Record<string, (expected?: unknown) => unknown>>;

/** A value, what each matcher finds right, and what it finds wrong. */
const rows: readonly (readonly [matcher: string, actual: unknown, right: unknown, wrong: unknown])[] = [
  ['toBe', 3, 3, 4],
  ['toBeCloseTo', 0.1 + 0.2, 0.3, 0.4],
  ['toBeGreaterThan', 3, 2, 3],
  ['toBeGreaterThanOrEqual', 3, 3, 4],
  ['toBeInstanceOf', new Set(), Set, Map],
  ['toBeLessThan', 3, 4, 3],
  ['toBeLessThanOrEqual', 3, 3, 2],
  ['toContain', [1, 2], 2, 3],
  ['toContainEqual', [{ a: 1 }], { a: 1 }, { a: 2 }],
  ['toEqual', { a: [1, undefined] }, { a: expect.arrayContaining([1]), b: undefined }, { a: [2] }],
  ['toHaveLength', 'abc', 3, 2],
  ['toMatch', 'abc', /b/, /d/],
  ['toMatchObject', { a: 1, b: 2 }, { a: 1 }, { a: 2 }],
  ['toStrictEqual', { a: 1 }, { a: 1 }, { a: 1, b: undefined }],
];

/** The same without an argument. */
const facts: readonly (readonly [matcher: string, right: unknown, wrong: unknown])[] = [
  ['toBeDefined', 0, undefined],
  ['toBeFalsy', 0, 1],
  ['toBeNull', null, undefined],
  ['toBeTruthy', 1, 0],
  ['toBeUndefined', undefined, null],
];

/** The expression under test. */
const assertion = expect as unknown as (
  actual: unknown,
) => Assertion & Readonly<Record<'not' | 'resolves' | 'rejects', Assertion>>;

function failureOf(run: () => void): Error | undefined {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  return undefined;
}

describe('expect', () => {
  it.each(rows)('passes and fails with %s as jest says', (matcher, actual, right, wrong) => {
    const passed = failureOf(() => assertion(actual)[matcher]!(right));
    const failed = failureOf(() => assertion(actual)[matcher]!(wrong));
    const denied = failureOf(() => assertion(actual).not[matcher]!(right));

    expect(passed).toBeUndefined();
    expect(failed?.message).toContain(`.${matcher}(`);
    expect(denied?.message).toContain(`.not.${matcher}(`);
  });

  it.each(facts)('passes and fails with %s as jest says', (matcher, right, wrong) => {
    const passed = failureOf(() => assertion(right)[matcher]!());
    const failed = failureOf(() => assertion(wrong)[matcher]!());

    expect(passed).toBeUndefined();
    expect(failed?.message).toContain(`.${matcher}(`);
  });

  it('names the line of the spec first', () => {
    const failed = failureOf(() => expect(3).toBe(4));

    expect(failed!.stack!.split('\n').find((line) => line.trim().startsWith('at '))).toContain('quick-expect.spec.ts');
  });

  it('says what is wrong with a value that a matcher cannot look at', () => {
    expect(failureOf(() => expect(3).toHaveLength(3))?.message).toContain('must have a length property');
  });

  it('has the matchers that a spec adds', () => {
    expect.extend({ toBeEven: (actual: number) => ({ pass: actual % 2 === 0, message: () => 'it is odd' }) });

    expect(failureOf(() => assertion(2)['toBeEven']!())).toBeUndefined();
    expect(failureOf(() => assertion(3)['toBeEven']!())?.message).toBe('it is odd');
  });

  it('counts assertions', () => {
    const before = expect.getState().assertionCalls;

    expect(3).toBe(3);
    expect([3]).toEqual([3]);

    expect(expect.getState().assertionCalls - before).toBe(2);
  });

  it('fails for a rejected promise and for one that resolves with something else', async () => {
    await expect(assertion(Promise.resolve(3)).resolves['toBe']!(4)).rejects.toThrow('Expected: 4');
    await expect(assertion(Promise.resolve(3)).rejects['toBe']!(3)).rejects.toThrow('resolved instead of rejected');
  });
});

// Jest loads this before each spec. Its `expect` makes 400 functions and an error with a stack for each call, of which a passing
// assertion needs none: a property asserts thousands of times. Here a matcher is asked first, and jest's `expect` says what differs.

type Matcher = (this: unknown, actual: unknown, ...expected: unknown[]) => { readonly pass: boolean };
type Assertion = Readonly<Record<string, (...expected: unknown[]) => unknown>>;

/** Where `expect` keeps its matchers, and counts assertions. */
interface Registry {
  readonly matchers: Readonly<Record<string, Matcher>>;
  readonly state: { assertionCalls: number; numPassingAsserts: number };
}

/** They only look at values: to ask them twice changes nothing. */
const PURE = [
  'toBe',
  'toBeCloseTo',
  'toBeDefined',
  'toBeFalsy',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeInstanceOf',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeNull',
  'toBeTruthy',
  'toBeUndefined',
  'toContain',
  'toContainEqual',
  'toEqual',
  'toHaveLength',
  'toMatch',
  'toMatchObject',
  'toStrictEqual',
];

const jests = expect;
const registry = (globalThis as unknown as Record<symbol, Registry>)[Symbol.for('$$jest-matchers-object')]!;
const context = contextOfMatchers();

class Expectation {
  readonly actual: unknown;

  constructor(actual: unknown) {
    this.actual = actual;
  }
}

leaveToJest(['not', 'resolves', 'rejects', ...Object.keys(registry.matchers).filter((name) => !PURE.includes(name))]);

for (const name of PURE) {
  const matcher = registry.matchers[name]!;
  Object.defineProperty(Expectation.prototype, name, {
    value(this: Expectation, ...expected: unknown[]) {
      if (passes(matcher, this.actual, expected)) {
        registry.state.assertionCalls += 1;
        registry.state.numPassingAsserts += 1;
        return;
      }
      try {
        (jests(this.actual) as unknown as Assertion)[name]!(...expected);
      } catch (error) {
        // The line of the spec comes first.
        Error.captureStackTrace(error as Error, (Expectation.prototype as unknown as Assertion)[name]);
        throw error;
      }
    },
  });
}

function leaveToJest(names: readonly string[]): void {
  for (const name of names) {
    Object.defineProperty(Expectation.prototype, name, {
      configurable: true,
      get(this: Expectation) {
        return (jests(this.actual) as unknown as Assertion)[name];
      },
    });
  }
}

function extend(matchers: Parameters<typeof jests.extend>[0]): void {
  jests.extend(matchers);
  leaveToJest(Object.keys(matchers));
}

function passes(matcher: Matcher, actual: unknown, expected: unknown[]): boolean {
  try {
    return matcher.call(context, actual, ...expected).pass;
  } catch {
    // Such as `toHaveLength` of a number: jest says what is wrong.
    return false;
  }
}

/** What jest gives each matcher as `this`. */
function contextOfMatchers(): unknown {
  let given: unknown;
  jests.extend({
    toBeGivenAContext() {
      // oxlint-disable-next-line typescript/no-this-alias -- it is what jest calls the matcher with
      given = this;
      return { pass: true, message: () => '' };
    },
  });
  (jests(undefined) as unknown as Assertion)['toBeGivenAContext']!();
  registry.state.assertionCalls = 0;
  registry.state.numPassingAsserts = 0;
  return given;
}

Object.assign(globalThis, { expect: Object.assign((actual: unknown) => new Expectation(actual), jests, { extend }) });

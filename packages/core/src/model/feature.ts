/**
 * Marks features, also those of another copy of this package, and nothing that a text can hold. Its number changes with their
 * form, so that no version takes the values of another one.
 */
export const FEATURE = Symbol.for('sluice.feature.1');

/** What a program imports for an option. All that a limiter does for it is in `limiter/tiers/tier-feature.ts`. */
export interface Feature<Name extends string = string> {
  readonly form: symbol;
  readonly name: Name;
}

/** The value of an option that brings a feature along: `notices(0.9)`. */
export interface FeatureValue<Name extends string = string> {
  readonly feature: Feature<Name>;
}

/** The value of an option of any tier. */
export interface TierValue<Name extends string, S> extends FeatureValue<Name> {
  /** Tells apart the callers of a key. Undefined where the feature tells none apart. */
  readonly by?: ((subject: S) => unknown) | undefined;
}

/** True for a value that this or another copy of this package has made. @param name of its feature. @default any */
export function isFeatureValue(value: unknown, name?: string): value is FeatureValue {
  const { feature } = Object(value) as Partial<FeatureValue>;
  return feature?.form === FEATURE && (name === undefined || feature.name === name);
}

/** The features of the values of options. */
export function featuresIn(options: object): readonly Feature[] {
  return (Object.values(options) as unknown[]).flatMap((value) => (isFeatureValue(value) ? [value.feature] : []));
}

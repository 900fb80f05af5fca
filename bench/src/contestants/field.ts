const FIELDS = ['main', 'usual', 'all'] as const;

/** The set of contestants. `main`: the fastest. `usual`: all that users choose. `all`: rare options too. */
export type Field = (typeof FIELDS)[number];

/** Whether a contestant of the first field belongs to the second. */
export function isIn(own: Field | undefined, wanted: Field): boolean {
  return FIELDS.indexOf(own ?? 'main') <= FIELDS.indexOf(wanted);
}

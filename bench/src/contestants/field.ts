const FIELDS = ['main', 'usual', 'all'] as const;

/** Who takes part. `main`: those who may be the fastest. `usual`: all who can be chosen. `all`: rare options as well. */
export type Field = (typeof FIELDS)[number];

/** Whether one of this field takes part where that one is wanted. */
export function isIn(own: Field | undefined, wanted: Field): boolean {
  return FIELDS.indexOf(own ?? 'main') <= FIELDS.indexOf(wanted);
}

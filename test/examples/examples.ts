/** A program in the folder `examples`. */
export interface Example {
  readonly name: string;
  /** The file to run. */
  readonly main: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The same API in several frameworks. */
export const examples: readonly Example[] = [
  { name: 'express-api', main: 'express-api/main.js' },
  { name: 'fastify-api', main: 'fastify-api/main.js' },
  { name: 'nest-api', main: 'nest-api/dist/main.js' },
  { name: 'nest-api on Fastify', main: 'nest-api/dist/main.js', environment: { PLATFORM: 'fastify' } },
];

export type Place = 'memory' | 'Redis';

/** Each example with each store, for `describe.each`. */
export const everywhere = examples.flatMap(({ name }) =>
  (['memory', 'Redis'] as const).map((place): [string, Place] => [name, place]),
);

/** The first example with each store: for rules that all examples share. same-answers.spec.ts compares the others with it. */
export const firstEverywhere = everywhere.filter(([name]) => name === examples[0]!.name);

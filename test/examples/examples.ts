/** A program in the folder of examples. */
export interface Example {
  readonly name: string;
  /** The file that starts it. */
  readonly main: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The examples that are one API, in several frameworks. */
export const examples: readonly Example[] = [
  { name: 'express-api', main: 'express-api/main.js' },
  { name: 'fastify-api', main: 'fastify-api/main.js' },
  { name: 'nest-api', main: 'nest-api/dist/main.js' },
  { name: 'nest-api on Fastify', main: 'nest-api/dist/main.js', environment: { PLATFORM: 'fastify' } },
];

export type Place = 'memory' | 'Redis';

/** The examples wherever they can count, for `describe.each`. */
export const everywhere = examples.flatMap(({ name }) =>
  (['memory', 'Redis'] as const).map((place): [string, Place] => [name, place]),
);

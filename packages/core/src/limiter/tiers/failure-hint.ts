/** What a function of an application reads, which other code puts on a request later. */
const PARTS = [
  { name: 'user', after: 'authentication' },
  { name: 'auth', after: 'authentication' },
  { name: 'session', after: 'the session middleware' },
  { name: 'body', after: 'the body parser' },
] as const;

type Part = (typeof PARTS)[number];

/** Parts that are named where nothing tells which of them a function has read. */
const USUAL: readonly Part['name'][] = ['user', 'body'];

/** How each framework runs a limit later than the others. */
const LATER = ". Fastify: hook: 'preHandler'; NestJS: at: 'authenticated'";

const NO_CONTEXT =
  '. On Hono the function gets a subject, and c is its context: write ({ context }) => context.req.header(…)';

/** The message of the engine for a property of nothing. */
const READ = /^Cannot read properties of (?:undefined|null) \(reading '(\w+)'\)$/;

/**
 * The repair of a function that has failed by a mistake that the engine names, for the end of a message: what its subject
 * has not got, and when it has. Empty if nothing is known.
 *
 * @param read the function, whose text tells which property it has read
 */
export function failureHint({ message }: Error, subject: unknown, read: unknown): string {
  const request = Object(subject) as Readonly<Record<string, unknown>>;
  if (typeof request['context'] === 'object') return NO_CONTEXT;
  const property = READ.exec(message)?.[1];
  return property === undefined || request['headers'] === undefined
    ? ''
    : missingParts(request, partsRead(read, property));
}

/** The parts whose property the text of a function reads: `user` in `request.user.id`, for `id`. */
function partsRead(read: unknown, property: string): readonly Part[] {
  const text = typeof read === 'function' ? Function.prototype.toString.call(read) : '';
  const parts = PARTS.filter(({ name }) => new RegExp(`\\b${name}\\s*\\.\\s*${property}\\b`).test(text));
  return parts.length > 0 ? parts : PARTS.filter(({ name }) => USUAL.includes(name));
}

function missingParts(request: Readonly<Record<string, unknown>>, read: readonly Part[]): string {
  const missing = read.filter(({ name }) => request[name] === undefined || request[name] === null);
  if (missing.length === 0) return '';
  const names = missing.map(({ name }) => `no ${name}`).join(' and ');
  const places = missing.map(({ name, after }) => `${after} (request.${name})`).join(' or ');
  return `. The request has ${names} yet: run the limit after ${places}${LATER}`;
}

import type { IncomingMessage } from 'node:http';

/** A body that cannot be read. */
export class BodyProblem extends Error {
  override name = 'BodyProblem';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON object in a body. @param most bytes. @throws BodyProblem, as a rejection */
export async function readJson(request: IncomingMessage, most: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers['content-type'] ?? 'application/json';
  // A form of a page on another site cannot send this type.
  if (!/^application\/json *(;|$)/i.test(type)) throw new BodyProblem(415, 'the body must be application/json');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new BodyProblem(415, 'the body must be sent without a content-encoding');
  const bytes = await readBytes(request, most);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BodyProblem(400, 'the body must be JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BodyProblem(400, 'the body must be an object of JSON');
}

async function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  const tooLarge = () => new BodyProblem(413, `the body must have at most ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

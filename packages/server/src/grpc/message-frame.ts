import { gunzipSync, inflateSync } from 'node:zlib';
import { type Failure, status, type StatusCode } from './status.js';

/** One byte says whether a message is compressed, and four have its length. */
export const PREFIX_BYTES = 5;

/** Bytes that are no message of a call with one message. */
export class FrameProblem extends Error {
  override name = 'FrameProblem';
  readonly failure: Failure;

  constructor(code: StatusCode, details: string) {
    super(details);
    this.failure = { code, details };
  }
}

/**
 * The message in all bytes of a call.
 *
 * @param encoding of the header grpc-encoding
 * @param most bytes of it, also when it is compressed
 * @throws FrameProblem
 */
export function messageIn(bytes: Buffer, encoding: unknown, most: number): Buffer {
  if (bytes.length < PREFIX_BYTES)
    throw new FrameProblem(status.UNIMPLEMENTED, 'the call must have one message, got none');
  const length = bytes.readUInt32BE(1);
  if (length > most) throw tooLarge(most);
  if (bytes.length < PREFIX_BYTES + length) throw new FrameProblem(status.INTERNAL, 'the message ends behind the call');
  if (bytes.length > PREFIX_BYTES + length)
    throw new FrameProblem(status.UNIMPLEMENTED, 'the call must have one message, got more');
  const message = bytes.subarray(PREFIX_BYTES);
  if (bytes[0] === 0) return message;
  return decompressed(message, bytes[0] === 1 ? encoding : undefined, most);
}

/** A message as it is sent. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

function decompressed(message: Buffer, encoding: unknown, most: number): Buffer {
  const decompress = encoding === 'gzip' ? gunzipSync : encoding === 'deflate' ? inflateSync : undefined;
  if (decompress === undefined)
    throw new FrameProblem(status.UNIMPLEMENTED, 'grpc-encoding of a compressed message must be gzip or deflate');
  try {
    return decompress(message, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most);
    throw new FrameProblem(status.INTERNAL, 'the compressed message cannot be read');
  }
}

function tooLarge(most: number): FrameProblem {
  return new FrameProblem(
    status.RESOURCE_EXHAUSTED,
    `a message must have at most ${most} bytes, and this one is larger`,
  );
}

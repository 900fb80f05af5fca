import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { MessageWriter } from '../../../packages/server/src/protobuf/message-writer.js';
import { framed, type GrpcHeaders } from './grpc-call.js';

/** A call that is wrong, and its refusal. */
export interface MalformedCall {
  readonly body: Buffer;
  readonly headers?: GrpcHeaders;
  /** The code of gRPC, or of HTTP where the call is none of gRPC. Undefined for a call that is reset. */
  readonly code: number | undefined;
  /** What its message has. */
  readonly says?: RegExp;
}

const entry = new MessageWriter().text(1, 'remote_address').text(2, '192.0.2.1');
const descriptor = new MessageWriter().message(1, entry);
const right = new MessageWriter().text(1, 'api').message(2, descriptor).bytes();
/** A call that is right, as gRPC frames it. */
export const RIGHT_CALL = framed(right);
const RIGHT = RIGHT_CALL;
const { INVALID_ARGUMENT, RESOURCE_EXHAUSTED, INTERNAL, UNIMPLEMENTED } = status;

/** A request whose bytes are wrong. */
function bytes(...parts: readonly (number | Buffer)[]): Buffer {
  return framed(Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part))));
}

function repeated(count: number, part: Buffer): Buffer {
  return framed(
    Buffer.concat([new MessageWriter().text(1, 'api').bytes(), ...Array.from({ length: count }, () => part)]),
  );
}

const request = (writer: MessageWriter) => framed(writer.bytes());
const withDescriptor = (made: MessageWriter) => request(new MessageWriter().text(1, 'api').message(2, made));
const withEntry = (key: string, value: string) =>
  withDescriptor(new MessageWriter().message(1, new MessageWriter().text(1, key).text(2, value)));
const EMPTY_DESCRIPTOR = Buffer.from([18, 0]);
const EMPTY_ENTRIES = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([10, 0])));

export const MALFORMED_CALLS: Readonly<Record<string, MalformedCall>> = {
  // Frames of gRPC.
  'no message': { body: Buffer.alloc(0), code: UNIMPLEMENTED },
  'half the head of a message': { body: Buffer.from([0, 0, 0]), code: UNIMPLEMENTED },
  'a head without its message': { body: framed(Buffer.alloc(0), { length: 5 }), code: INTERNAL },
  'a message shorter than it says': { body: framed(right, { length: right.length + 1 }), code: INTERNAL },
  'a message longer than it says': { body: framed(right, { length: right.length - 1 }), code: UNIMPLEMENTED },
  'a message of 4 GiB': { body: framed(right, { length: 0xff_ff_ff_ff }), code: RESOURCE_EXHAUSTED },
  'a flag that there is not': { body: framed(right, { flag: 7 }), code: UNIMPLEMENTED, says: /grpc-encoding/ },
  'a compressed message without its encoding': { body: framed(right, { flag: 1 }), code: UNIMPLEMENTED },
  'an encoding that there is not': {
    body: framed(right, { flag: 1 }),
    headers: { 'grpc-encoding': 'zip' },
    code: UNIMPLEMENTED,
  },
  'bytes that are no gzip': {
    body: framed(right, { flag: 1 }),
    headers: { 'grpc-encoding': 'gzip' },
    code: INTERNAL,
  },
  'gzip that ends early': {
    body: framed(gzipSync(right).subarray(0, 20), { flag: 1 }),
    headers: { 'grpc-encoding': 'gzip' },
    code: INTERNAL,
  },
  '64 MiB in 64 kB of gzip': {
    body: framed(gzipSync(Buffer.alloc(2 ** 26)).subarray(0, 65_000), { flag: 1 }),
    headers: { 'grpc-encoding': 'gzip' },
    code: RESOURCE_EXHAUSTED,
  },
  'two messages': { body: Buffer.concat([RIGHT, RIGHT]), code: UNIMPLEMENTED },
  'a message above the bound': { body: framed(Buffer.alloc(262_145)), code: RESOURCE_EXHAUSTED, says: /larger/ },

  // Headers of the call.
  'a text instead of gRPC': { body: RIGHT, headers: { 'content-type': 'text/plain' }, code: 415 },
  'gRPC for browsers': { body: RIGHT, headers: { 'content-type': 'application/grpc-web' }, code: 415 },
  'no type': { body: RIGHT, headers: { 'content-type': undefined }, code: 415 },
  'another path': { body: RIGHT, headers: { ':path': '/envoy/ShouldRateLimit' }, code: UNIMPLEMENTED },
  'another method of the service': {
    body: RIGHT,
    headers: { ':path': '/envoy.service.ratelimit.v3.RateLimitService/Reset' },
    code: UNIMPLEMENTED,
  },
  'the path with a query': {
    body: RIGHT,
    headers: { ':path': '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit?a=1' },
    code: UNIMPLEMENTED,
  },
  'the name of a member of every object': { body: RIGHT, headers: { ':path': '/__proto__' }, code: UNIMPLEMENTED },
  'a deadline that is no time': { body: RIGHT, headers: { 'grpc-timeout': 'soon' }, code: INTERNAL },
  'a header above 64 KiB': { body: RIGHT, headers: { 'x-large': 'x'.repeat(70_000) }, code: undefined },

  // Protocol buffers.
  'a number without its end': { body: bytes(24, 255), code: INVALID_ARGUMENT, says: /ends within a number/ },
  'a number of eleven bytes': { body: bytes(24, Buffer.alloc(10, 255), 1), code: INVALID_ARGUMENT, says: /too long/ },
  'a text behind the end': { body: bytes(10, 200, 1, 97), code: INVALID_ARGUMENT, says: /ends behind its message/ },
  'a text of 4 GiB': { body: bytes(10, 255, 255, 255, 255, 15, 97), code: INVALID_ARGUMENT, says: /ends behind/ },
  'a text of a negative length': {
    body: bytes(10, Buffer.alloc(9, 255), 1),
    code: INVALID_ARGUMENT,
    says: /too long/,
  },
  'a text that is not UTF-8': { body: bytes(10, 2, 0xc3, 0x28), code: INVALID_ARGUMENT, says: /not UTF-8/ },
  'half a surrogate': { body: bytes(10, 3, 0xed, 0xa0, 0x80), code: INVALID_ARGUMENT, says: /not UTF-8/ },
  'a number in the place of a text': { body: bytes(8, 1), code: INVALID_ARGUMENT, says: /another type/ },
  'a text in the place of a number': { body: bytes(26, 1, 97), code: INVALID_ARGUMENT, says: /another type/ },
  'a number in the place of a message': { body: bytes(16, 1), code: INVALID_ARGUMENT, says: /another type/ },
  'the field 0': { body: bytes(2, 0), code: INVALID_ARGUMENT, says: /a number that there is not/ },
  'the start of a group': { body: bytes(0xf3, 1), code: INVALID_ARGUMENT, says: /a type that there is not/ },
  'a type that there is not': { body: bytes(0xf7, 1), code: INVALID_ARGUMENT, says: /a type that there is not/ },
  'an unknown field behind the end': { body: bytes(0xf2, 1, 9, 1), code: INVALID_ARGUMENT, says: /ends behind/ },
  'an entry behind the end of its descriptor': { body: bytes(18, 2, 10, 9, 0), code: INVALID_ARGUMENT, says: /ends/ },
  'an entry without a key': { body: withEntry('', 'x'), code: INVALID_ARGUMENT, says: /has no key/ },
  'random bytes': { body: bytes(Buffer.from('5f0d2bd4c1ff9a3377', 'hex')), code: INVALID_ARGUMENT },

  // What is larger than a service takes.
  'a domain of 60 000 characters': {
    body: request(new MessageWriter().text(1, 'x'.repeat(60_000))),
    code: RESOURCE_EXHAUSTED,
    says: /at most 256/,
  },
  'a key of 60 000 characters': {
    body: withEntry('k'.repeat(60_000), 'v'),
    code: RESOURCE_EXHAUSTED,
    says: /at most 512/,
  },
  '30 000 descriptors': { body: repeated(30_000, EMPTY_DESCRIPTOR), code: RESOURCE_EXHAUSTED, says: /at most 32/ },
  '20 000 entries': {
    body: bytes(10, 3, Buffer.from('api'), 18, 192, 184, 2, EMPTY_ENTRIES),
    code: INVALID_ARGUMENT,
    says: /has no key/,
  },
  '17 entries': {
    body: withDescriptor(
      Array.from({ length: 17 }, () => entry).reduce((writer, each) => writer.message(1, each), new MessageWriter()),
    ),
    code: RESOURCE_EXHAUSTED,
    says: /at most 16 entries/,
  },

  // What no limiter decides.
  'an empty message': { body: framed(Buffer.alloc(0)), code: INVALID_ARGUMENT, says: /domain is missing/ },
  'no descriptor': {
    body: request(new MessageWriter().text(1, 'api')),
    code: INVALID_ARGUMENT,
    says: /descriptors are missing/,
  },
  'a descriptor without entries': { body: repeated(1, EMPTY_DESCRIPTOR), code: INVALID_ARGUMENT, says: /no rule/ },
  'another domain': {
    body: request(new MessageWriter().text(1, 'apy').message(2, descriptor)),
    code: INVALID_ARGUMENT,
    says: /must be a limiter/,
  },
  'a domain that every object has': {
    body: request(new MessageWriter().text(1, '__proto__').message(2, descriptor)),
    code: INVALID_ARGUMENT,
    says: /must be a limiter/,
  },
  'a key that every object has': { body: withEntry('__proto__', 'x'), code: INVALID_ARGUMENT, says: /no rule/ },
  'a limit of another window': {
    body: withDescriptor(
      new MessageWriter().message(1, entry).message(2, new MessageWriter().unsigned(1, 5).unsigned(2, 3)),
    ),
    code: INVALID_ARGUMENT,
    says: /must have the window of its tier/,
  },
  'a limit of a unit that there is not': {
    body: withDescriptor(
      new MessageWriter().message(1, entry).message(2, new MessageWriter().unsigned(1, 5).unsigned(2, 99)),
    ),
    code: INVALID_ARGUMENT,
    says: /got 99/,
  },
};

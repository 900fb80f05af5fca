import { MessageWriter } from '../protobuf/message-writer.js';

export const OK = 1;
export const OVER_LIMIT = 2;

/** `RateLimitResponse`. Fields that Sluice never sends are left out: `quota` would let Envoy decide without it. */
export interface RateLimitResponse {
  readonly overallCode: number;
  readonly statuses: readonly DescriptorStatus[];
  readonly responseHeaders: Iterable<readonly [name: string, value: string]>;
  readonly requestHeaders: Iterable<readonly [name: string, value: string]>;
  readonly body: string;
  readonly metadata: Readonly<Record<string, MetadataValue>>;
}

export type MetadataValue = string | number | boolean | readonly string[];

export interface DescriptorStatus {
  readonly code: number;
  /** Undefined for a descriptor without a limit. */
  readonly currentLimit: CurrentLimit | undefined;
  readonly limitRemaining: number;
  /** In milliseconds. Undefined where no time changes the answer. */
  readonly untilReset: number | undefined;
}

export interface CurrentLimit {
  readonly name: string;
  readonly requestsPerUnit: number;
  /** As Envoy numbers them. 0: it has no unit for the window. */
  readonly unit: number;
}

const MOST_32 = 2 ** 32 - 1;

export function writeResponse(response: RateLimitResponse): Buffer {
  const { overallCode, statuses, responseHeaders, requestHeaders, body, metadata } = response;
  const writer = new MessageWriter().unsigned(1, overallCode);
  for (const status of statuses) writer.message(2, statusMessage(status));
  for (const [name, value] of responseHeaders) writer.message(3, new MessageWriter().text(1, name).text(2, value));
  for (const [name, value] of requestHeaders) writer.message(4, new MessageWriter().text(1, name).text(2, value));
  writer.text(5, body);
  const entries = Object.entries(metadata);
  if (entries.length > 0) writer.message(6, struct(entries));
  return writer.bytes();
}

function statusMessage({ code, currentLimit, limitRemaining, untilReset }: DescriptorStatus): MessageWriter {
  const writer = new MessageWriter().unsigned(1, code);
  if (currentLimit !== undefined) {
    const { requestsPerUnit, unit, name } = currentLimit;
    writer.message(
      2,
      new MessageWriter().unsigned(1, Math.min(requestsPerUnit, MOST_32)).unsigned(2, unit).text(3, name),
    );
  }
  writer.unsigned(3, Math.min(limitRemaining, MOST_32));
  if (untilReset !== undefined) writer.message(4, duration(untilReset));
  return writer;
}

function duration(milliseconds: number): MessageWriter {
  const seconds = Math.floor(milliseconds / 1e3);
  return new MessageWriter().unsigned(1, seconds).unsigned(2, (milliseconds - seconds * 1e3) * 1e6);
}

/** `google.protobuf.Struct`: a map is a list of messages, of which each has a name and a value. */
function struct(entries: readonly (readonly [string, MetadataValue])[]): MessageWriter {
  const writer = new MessageWriter();
  for (const [name, value] of entries) {
    writer.message(1, new MessageWriter().text(1, name).message(2, valueMessage(value)));
  }
  return writer;
}

/** `google.protobuf.Value`. A value of a choice is also written where it is empty, because its number tells the type. */
function valueMessage(value: MetadataValue): MessageWriter {
  if (typeof value === 'number') return new MessageWriter().double(2, value);
  if (typeof value === 'string') return new MessageWriter().chosenText(3, value);
  if (typeof value === 'boolean') return new MessageWriter().chosenFlag(4, value);
  const list = new MessageWriter();
  for (const each of value) list.message(1, valueMessage(each));
  return new MessageWriter().message(6, list);
}

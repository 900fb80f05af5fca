import { UnfitRequest } from '../deciding/round.js';
import type { Descriptor, DescriptorEntry, DescriptorLimit } from '../rules/descriptor.js';
import { MalformedMessage, MessageReader } from '../protobuf/message-reader.js';

/** `RateLimitRequest`. */
export interface RateLimitRequest {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** The cost. 0 is 1. */
  readonly hitsAddend: number;
}

/** A request that is larger than the service takes. */
export class OversizedRequest extends Error {
  override name = 'OversizedRequest';
}

const NEGATIVE_HITS =
  'is_negative_hits is not taken, because it would give back units that nobody was charged: set receiptHeader in extensions.server, and send the receipt of the request to POST /refund or POST /settle';
const MAX_ENTRIES = 16;
/** Of a key in UTF-16 units. */
const MAX_KEY = 512;
const MAX_DOMAIN = 256;

/**
 * Reads a request, of which it takes no more descriptors than is allowed.
 *
 * @throws MalformedMessage, OversizedRequest, UnfitRequest
 * @example readRequest(bytes, { descriptors: 32 })
 */
export function readRequest(bytes: Uint8Array, most: { readonly descriptors: number }): RateLimitRequest {
  const reader = new MessageReader(bytes);
  const descriptors: Descriptor[] = [];
  let domain = '';
  let hitsAddend = 0;
  while (reader.next()) {
    if (reader.field === 1) domain = bounded('domain', reader.text(), MAX_DOMAIN);
    else if (reader.field === 2) {
      if (descriptors.length === most.descriptors) {
        throw new OversizedRequest(`descriptors must be at most ${most.descriptors}`);
      }
      descriptors.push(readDescriptor(reader.message(), `descriptors[${descriptors.length}]`));
    } else if (reader.field === 3) hitsAddend = reader.unsigned32();
  }
  return { domain, descriptors, hitsAddend };
}

function readDescriptor(reader: MessageReader, name: string): Descriptor {
  const entries: DescriptorEntry[] = [];
  let limit: DescriptorLimit | undefined;
  let hits: number | undefined;
  while (reader.next()) {
    if (reader.field === 1) {
      if (entries.length === MAX_ENTRIES)
        throw new OversizedRequest(`a descriptor must have at most ${MAX_ENTRIES} entries`);
      entries.push(readEntry(reader.message()));
    } else if (reader.field === 2) limit = readLimit(reader.message());
    else if (reader.field === 3) hits = readHits(reader.message(), name);
    else if (reader.field === 4 && reader.unsigned64() > 0) throw new UnfitRequest(`${name}: ${NEGATIVE_HITS}`);
  }
  return { entries, limit, hits };
}

function readEntry(reader: MessageReader): DescriptorEntry {
  let key = '';
  let value = '';
  while (reader.next()) {
    if (reader.field === 1) key = bounded('the key of an entry', reader.text(), MAX_KEY);
    // Clients choose it, in headers, and Envoy lets a request pass that is answered with an error.
    else if (reader.field === 2) value = reader.anyText();
  }
  if (key === '') throw new MalformedMessage('an entry of a descriptor has no key');
  return { key, value };
}

function readLimit(reader: MessageReader): DescriptorLimit {
  let requestsPerUnit = 0;
  let unit = 0;
  while (reader.next()) {
    if (reader.field === 1) requestsPerUnit = reader.unsigned32();
    else if (reader.field === 2) unit = reader.unsigned32();
  }
  return { requestsPerUnit, unit };
}

/** A message around a number, so that 0 can be told from none. */
function readHits(reader: MessageReader, name: string): number {
  let hits = 0;
  while (reader.next()) if (reader.field === 1) hits = reader.unsigned64();
  if (Number.isSafeInteger(hits)) return hits;
  throw new UnfitRequest(`${name}: hits_addend must be at most ${Number.MAX_SAFE_INTEGER}`);
}

function bounded(what: string, text: string, most: number): string {
  if (text.length <= most) return text;
  throw new OversizedRequest(`${what} must have at most ${most} characters`);
}

// protobuf/ reads and writes the wire format of protocol buffers: fields by number, and nothing of a schema. Bytes enter
// and leave. It imports no other room.

/** A message that is no protocol buffer. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
/** Field numbers need 29 bits. */
const MOST_TAG_BYTES = 5;
const MOST_VARINT_BYTES = 10;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const ANY_BYTES = new TextDecoder();

/**
 * Reads the fields of a message one after the other. A field that its reader does not ask for is skipped, so that messages
 * of a later version are read, too.
 *
 * @example
 * const reader = new MessageReader(bytes);
 * while (reader.next()) if (reader.field === 1) domain = reader.text();
 */
export class MessageReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  #type = VARINT;
  #isRead = true;
  /** The number of the field that is next to read. */
  field = 0;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Goes to the next field. False at the end of the message. @throws MalformedMessage */
  next(): boolean {
    if (!this.#isRead) this.#skip();
    if (this.#at === this.#end) return false;
    const tag = this.#varint(MOST_TAG_BYTES);
    this.field = Math.floor(tag / 8);
    this.#type = tag % 8;
    if (this.field === 0 || this.field > 0x1f_ff_ff_ff)
      throw new MalformedMessage('a field has a number that there is not');
    this.#isRead = false;
    return true;
  }

  /** The field as an unsigned integer of 32 bits: higher bits are cut, as by every reader. */
  unsigned32(): number {
    return this.#asVarint() % 2 ** 32;
  }

  /** The field as an unsigned integer of 64 bits, of which numbers above 2^53 lose their last digits. */
  unsigned64(): number {
    return this.#asVarint();
  }

  /** The field as a text. @throws MalformedMessage also for bytes that are no UTF-8 */
  text(): string {
    const [start, end] = this.#span();
    try {
      return UTF8.decode(this.#bytes.subarray(start, end));
    } catch {
      throw new MalformedMessage(`the field ${this.field} is not UTF-8`);
    }
  }

  /** The field as a text, with U+FFFD in the place of bytes that are no UTF-8. */
  anyText(): string {
    const [start, end] = this.#span();
    return ANY_BYTES.decode(this.#bytes.subarray(start, end));
  }

  /** A reader of the field as a message within this one. */
  message(): MessageReader {
    const [start, end] = this.#span();
    return new MessageReader(this.#bytes, start, end);
  }

  #asVarint(): number {
    this.#expect(VARINT);
    return this.#varint(MOST_VARINT_BYTES);
  }

  #span(): readonly [number, number] {
    this.#expect(BYTES);
    const length = this.#varint(MOST_TAG_BYTES);
    const start = this.#at;
    if (length > this.#end - start) throw new MalformedMessage(`the field ${this.field} ends behind its message`);
    this.#at = start + length;
    return [start, this.#at];
  }

  #expect(type: number): void {
    if (this.#type !== type)
      throw new MalformedMessage(`the field ${this.field} has another type than its message says`);
    this.#isRead = true;
  }

  #skip(): void {
    this.#isRead = true;
    if (this.#type === VARINT) this.#varint(MOST_VARINT_BYTES);
    else if (this.#type === BYTES) this.#move(this.#varint(MOST_TAG_BYTES));
    else if (this.#type === FIXED_64) this.#move(8);
    else if (this.#type === FIXED_32) this.#move(4);
    else throw new MalformedMessage(`the field ${this.field} has a type that there is not`);
  }

  #move(bytes: number): void {
    if (bytes > this.#end - this.#at) throw new MalformedMessage(`the field ${this.field} ends behind its message`);
    this.#at += bytes;
  }

  #varint(mostBytes: number): number {
    let value = 0;
    let factor = 1;
    for (let index = 0; index < mostBytes; index += 1) {
      if (this.#at === this.#end) throw new MalformedMessage('the message ends within a number');
      const byte = this.#bytes[this.#at]!;
      this.#at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new MalformedMessage('a number is too long');
  }
}

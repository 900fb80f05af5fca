const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;

/**
 * Writes the fields of a message. A field with the value that it has without being written is left out.
 *
 * @example
 * const bytes = new MessageWriter().unsigned(1, 2).text(3, 'ip-minute').bytes();
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(256);
  #length = 0;

  /** @param value an integer from 0 to 2^53 − 1. Fractions are cut */
  unsigned(field: number, value: number): this {
    if (value <= 0) return this;
    this.#tag(field, VARINT);
    this.#varint(Math.floor(value));
    return this;
  }

  text(field: number, value: string): this {
    return value === '' ? this : this.chosenText(field, value);
  }

  /** Also an empty one, for a value that may be of several types. */
  chosenText(field: number, value: string): this {
    const length = Buffer.byteLength(value);
    this.#head(field, length);
    this.#buffer.write(value, this.#length);
    this.#length += length;
    return this;
  }

  /** Also one without fields, which says that it is there. */
  message(field: number, message: MessageWriter): this {
    const length = message.#length;
    this.#head(field, length);
    message.#buffer.copy(this.#buffer, this.#length, 0, length);
    this.#length += length;
    return this;
  }

  /** Also false, for a value that may be of several types. */
  chosenFlag(field: number, value: boolean): this {
    this.#tag(field, VARINT);
    this.#varint(value ? 1 : 0);
    return this;
  }

  /** Also 0, for a value that may be of several types. */
  double(field: number, value: number): this {
    this.#tag(field, FIXED_64);
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, this.#length);
    this.#length += 8;
    return this;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #head(field: number, length: number): void {
    this.#tag(field, BYTES);
    this.#varint(length);
    this.#reserve(length);
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#length] = 128 + (rest % 128);
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#length] = rest;
    this.#length += 1;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

import { RowIndex } from '@sluice/core/internal';
import { addressWords, type Words } from './address.js';
import { Column } from './column.js';
import { firstBits, type Network } from './network.js';

/** A longer set has 64 indexes, each of which grows alone. */
const MAX_WHOLE = 1_024;
const PARTS = 64;
/** An index uses the bits below and above. */
const PART_AT = 19;
/** Between the prefixes of IPv4 and those of IPv6 in the numbers of levels, which begin with 1. */
const IPV6_LEVELS = 34;
const FREE = 0;

/** The networks of one length. */
interface Level {
  readonly number: number;
  readonly family: 4 | 6;
  readonly prefix: number;
  networks: number;
}

/**
 * Networks, each with the number of a row, which is free again when the network has left. A look-up takes one probe for
 * each length that occurs. Rows are numbers in columns: 100 000 objects would stop the process for garbage collections of
 * 6 to 10 ms.
 */
export class NetworkSet {
  /** Longest first. */
  readonly #levels: Level[] = [];
  readonly #byNumber: (Level | undefined)[] = [];
  /** The number of the level of a row, and its first address. */
  readonly #levelOf = new Column();
  readonly #words = [new Column(), new Column(), new Column(), new Column()] as const;
  /** By bits in the middle of the hash. */
  #indexes: readonly RowIndex[] = [this.#newIndex()];
  /** Rows that were in use at one time. */
  #used = 0;
  readonly #free: number[] = [];

  get size(): number {
    return this.#used - this.#free.length;
  }

  /** The row of a network. -1: it is not here. */
  find({ family, prefix, first }: Network): number {
    return this.#find(first, levelNumber(family, prefix));
  }

  /** Returns its row, new or known. */
  add({ family, prefix, first }: Network): number {
    const number = levelNumber(family, prefix);
    const known = this.#find(first, number);
    if (known >= 0) return known;
    if (this.#indexes.length === 1 && this.size === MAX_WHOLE) this.#split();
    const row = this.#free.pop() ?? this.#used;
    if (row === this.#used) this.#used += 1;
    this.#levelOf.set(row, number);
    for (const [index, column] of this.#words.entries()) column.set(row, first[index]!);
    this.#indexOf(hashOf(first, number)).add(row);
    (this.#byNumber[number] ?? this.#addLevel(number, family, prefix)).networks += 1;
    return row;
  }

  delete(row: number): void {
    const number = this.#levelOf.get(row);
    this.#indexOf(this.#hashOf(row)).delete(row);
    this.#levelOf.set(row, FREE);
    this.#free.push(row);
    const level = this.#byNumber[number]!;
    level.networks -= 1;
    if (level.networks > 0) return;
    this.#byNumber[number] = undefined;
    this.#levels.splice(this.#levels.indexOf(level), 1);
  }

  *rows(): IterableIterator<number> {
    for (let row = 0; row < this.#used; row += 1) if (this.#levelOf.get(row) !== FREE) yield row;
  }

  network(row: number): Network {
    const { family, prefix } = this.#byNumber[this.#levelOf.get(row)]!;
    return { family, prefix, first: this.#firstOf(row) };
  }

  /** True if a network that counts holds an address. @param address canonical */
  has(address: string, counts: (row: number) => boolean = () => true): boolean {
    const words = addressWords(address);
    const family = address.includes(':') ? 6 : 4;
    return this.#levels.some((level) => {
      if (level.family !== family) return false;
      const row = this.#find(firstBits(words, family, level.prefix), level.number);
      return row >= 0 && counts(row);
    });
  }

  #find(first: Words, level: number): number {
    const hash = hashOf(first, level);
    const [a, b, c, d] = this.#words;
    const isSought = (row: number) =>
      this.#levelOf.get(row) === level &&
      d.get(row) === first[3] &&
      c.get(row) === first[2] &&
      b.get(row) === first[1] &&
      a.get(row) === first[0];
    return this.#indexOf(hash).find(hash, isSought);
  }

  #firstOf(row: number): Words {
    const [a, b, c, d] = this.#words;
    return [a.get(row), b.get(row), c.get(row), d.get(row)];
  }

  #indexOf(hash: number): RowIndex {
    return this.#indexes[(hash >>> PART_AT) & (this.#indexes.length - 1)]!;
  }

  #split(): void {
    this.#indexes = Array.from({ length: PARTS }, () => this.#newIndex());
    for (const row of this.rows()) this.#indexOf(this.#hashOf(row)).add(row);
  }

  #newIndex(): RowIndex {
    return new RowIndex((row) => this.#hashOf(row));
  }

  #hashOf(row: number): number {
    return hashOf(this.#firstOf(row), this.#levelOf.get(row));
  }

  #addLevel(number: number, family: 4 | 6, prefix: number): Level {
    const level = { number, family, prefix, networks: 0 };
    this.#byNumber[number] = level;
    this.#levels.push(level);
    this.#levels.sort((one, other) => other.prefix - one.prefix);
    return level;
  }
}

function levelNumber(family: 4 | 6, prefix: number): number {
  return (family === 4 ? 1 : IPV6_LEVELS) + prefix;
}

/** The last step of MurmurHash3 after each word. */
function hashOf([a, b, c, d]: Words, level: number): number {
  return mixed(mixed(mixed(mixed(level ^ a) ^ b) ^ c) ^ d);
}

function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return hash ^ (hash >>> 16);
}

import { hashTag } from '../../../packages/redis/src/client/hash-tag.js';
import type { Keyspace } from './keyspace.js';
import { ErrorReply } from './reply.js';

export const SLOTS = 16_384;

/** The slots of a Cluster: which primary has each of them, and where those go that move. */
export class Slots {
  /** The primaries of slots that have moved. */
  readonly #owners = new Map<number, number>();
  readonly #targets = new Map<number, number>();

  /** @param primaries they have equal parts of the slots at first */
  constructor(readonly primaries: number) {}

  ownerOf(slot: number): number {
    return this.#owners.get(slot) ?? firstOwner(slot, this.primaries);
  }

  isMoving(slot: number): boolean {
    return this.#targets.has(slot);
  }

  beginMove(slot: number, target: number): void {
    this.#targets.set(slot, target);
  }

  endMove(slot: number): void {
    this.#owners.set(slot, this.#targets.get(slot)!);
    this.#targets.delete(slot);
  }

  /**
   * What a primary replies to a command that it does not run.
   *
   * @param isAsking another primary has sent the client here for this command
   */
  redirection(primary: number, keyspace: Keyspace, keys: readonly string[], isAsking: boolean): ErrorReply | undefined {
    const [first] = keys;
    if (first === undefined) return undefined;
    const slot = slotOf(first);
    const [owner, target] = [this.ownerOf(slot), this.#targets.get(slot)];
    if (owner !== primary && !(isAsking && target === primary)) return new ErrorReply(`MOVED ${slot} redis:${owner}`);
    if (target === undefined) return undefined;
    const missing = keys.filter((key) => keyspace.get(key) === undefined).length;
    const isTorn = missing > 0 && keys.length > 1 && (owner !== primary || missing < keys.length);
    if (isTorn) return new ErrorReply('TRYAGAIN Multiple keys request during rehashing of slot');
    return owner === primary && missing > 0 ? new ErrorReply(`ASK ${slot} redis:${target}`) : undefined;
  }
}

export function firstOwner(slot: number, primaries: number): number {
  return Math.floor((slot * primaries) / SLOTS);
}

/** Slots by hash tag, of which a run has few. */
const known = new Map<string, number>();
const MAX_KNOWN = 10_000;

/** CRC16 of the hash tag, as the specification of a Cluster has it. */
export function slotOf(key: string): number {
  const tag = hashTag(key);
  let slot = known.get(tag);
  if (slot !== undefined) return slot;
  slot = crc16(tag) % SLOTS;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(tag, slot);
  return slot;
}

function crc16(tag: string): number {
  let crc = 0;
  for (let at = 0; at < tag.length; at += 1) {
    crc ^= tag.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

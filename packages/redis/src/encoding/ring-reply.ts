import { LEFT_OVER, type ReplyShape } from '@sluice/core/scripts';
import { parseReply, type ReplyItem } from './script-request.js';

const DOUBLE_BYTES = 8;
const HEAD_BYTES = 10;
const COUNT_BYTES = 4;

/**
 * Reads a reply that may hold rings, as ring.replies.lua describes it: numbers alone, with those of each ring in its place.
 *
 * @param shapes of the states of a group
 * @param groups of the call
 */
export function parseRings(reply: unknown, shapes: readonly ReplyShape[], groups: number): readonly ReplyItem[] {
  if (!Buffer.isBuffer(reply)) return parseReply((reply as readonly unknown[]).map(ringAsNumbers)).flat();
  const known = knownGroups(reply, shapes.map(wireWidth).reduce(sum), groups);
  let textAt = reply.length - known * shapes.map(({ ring }) => bytesOf(ring)).reduce(sum);
  const last = textAt / DOUBLE_BYTES;
  const numbers = [reply.readDoubleLE(0)];
  let at = 1;
  for (let group = 0; group < known; group += 1) {
    for (const { width, ring } of shapes) {
      if (ring > 0) {
        pushRing(numbers, reply, textAt, ring);
        textAt += bytesOf(ring);
        at += 1;
      } else {
        for (let place = 0; place < width; place += 1, at += 1) numbers.push(reply.readDoubleLE(at * DOUBLE_BYTES));
      }
    }
  }
  for (; at < last; at += 1) numbers.push(reply.readDoubleLE(at * DOUBLE_BYTES));
  return numbers;
}

/** The groups whose states are in the reply, before those that are left over. */
function knownGroups(reply: Buffer, width: number, groups: number): number {
  for (let group = 0; group < groups; group += 1) {
    if (reply.readDoubleLE((1 + group * width) * DOUBLE_BYTES) === LEFT_OVER) return group;
  }
  return groups;
}

function pushRing(numbers: number[], reply: Buffer, at: number, ring: number): void {
  numbers.push(reply.readUInt32BE(at + 1), reply.readUIntBE(at + 5, 5));
  for (let count = 0; count < ring; count += 1) numbers.push(reply.readUInt32BE(at + HEAD_BYTES + count * COUNT_BYTES));
}

/** Beside an error text a client that reads bytes gets a ring as it is stored. */
function ringAsNumbers(item: unknown): ReplyItem {
  if (!Buffer.isBuffer(item) || item[0] !== RING) return item as ReplyItem;
  const numbers: number[] = [];
  pushRing(numbers, item, 0, (item.length - HEAD_BYTES) / COUNT_BYTES);
  return numbers;
}

const RING = 's'.charCodeAt(0);

function wireWidth({ width, ring }: ReplyShape): number {
  return ring > 0 ? 1 : width;
}

function bytesOf(ring: number): number {
  return ring > 0 ? HEAD_BYTES + ring * COUNT_BYTES : 0;
}

function sum(one: number, other: number): number {
  return one + other;
}

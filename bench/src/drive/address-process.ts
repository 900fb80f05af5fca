import { byIp, createLimiter, memoryStore, type Decision } from '@sluice/http';
import { serve } from '../processes/serve.js';

/** Limits by address that a process has. */
export interface AddressOrder {
  readonly tiers: number;
  /** They come one after the other. */
  readonly addresses: number;
  readonly maxKeys: number;
}

interface Checks {
  readonly checks: number;
  readonly seconds: number;
  /** Microseconds. */
  readonly cpu: number;
}

const WINDOWS = ['1m', '1h', '1d'] as const;
/** Checks between two looks at the clock. */
const STRIDE = 500;

let check: (() => void) | undefined;

const verbs = {
  open({ tiers, addresses, maxKeys }: AddressOrder): void {
    const consume = limiterOf(tiers, maxKeys);
    const subjects = Array.from({ length: addresses }, (_, number) => ({ ip: addressOf(number) }));
    for (const subject of subjects) consume(subject);
    let next = 0;
    check = () => {
      consume(subjects[next]!);
      next = (next + 1) % addresses;
    };
  },
  /** Checks for so many milliseconds. */
  slice(milliseconds: number): Checks {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    let checks = 0;
    while (performance.now() - begin < milliseconds) {
      for (let index = 0; index < STRIDE; index += 1) check!();
      checks += STRIDE;
    }
    const seconds = (performance.now() - begin) / 1e3;
    const { user, system } = process.cpuUsage(cpu);
    return { checks, seconds, cpu: user + system };
  },
  collect(): void {
    globalThis.gc?.({ type: 'minor' });
  },
  /** Bytes of heap and typed arrays that an address takes, with its identity. */
  bytesOf({ tiers, addresses, maxKeys }: AddressOrder): number {
    const consume = limiterOf(tiers, maxKeys);
    // What the limiter and V8 make once does not count.
    for (let number = 0; number < WARM; number += 1) consume({ ip: addressOf(number) });
    const before = memoryUsed();
    for (let number = WARM; number < WARM + addresses; number += 1) consume({ ip: addressOf(number) });
    return (memoryUsed() - before) / addresses;
  },
};

/** Addresses before those whose memory is counted, until V8 has compiled the code. */
const WARM = 4_000;

export type AddressVerbs = typeof verbs;

serve(verbs);

function addressOf(number: number): string {
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

function limiterOf(tiers: number, maxKeys: number): (subject: { ip: string }) => Decision {
  const limiter = createLimiter<{ ip: string }>({
    store: memoryStore({ maxKeys }),
    tiers: WINDOWS.slice(0, tiers).map((window) => ({
      name: window,
      key: byIp(),
      algorithm: 'fixed-window',
      limit: 1e9,
      window,
    })),
  });
  return (subject) => {
    const decision = limiter.consume(subject);
    if (decision instanceof Promise) throw new Error('a memory store answers synchronously');
    return decision;
  };
}

function memoryUsed(): number {
  // Once more, for what the first collection has made garbage.
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

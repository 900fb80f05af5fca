import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { createGate, memoryStore, type HeaderFormat, type GateTier } from '@sluice/http';
import { fakeClock } from '@sluice/testing';

import { root } from '../../../scripts/root.mjs';
import { exchange, headerLines } from '../../support/exchange.js';

// Every byte of the headers at 2030-01-01T00:00:00Z. A difference is a change for every client that reads them.

type Tiers = readonly GateTier<IncomingMessage>[];

const NOW = Date.UTC(2030, 0, 1);
const tier = { name: 'tier', key: () => 'ada', limit: 5, window: '1m' } as const;

/** Units spent before, and the cost of the request in the file. */
const STEPS: Record<string, readonly [spent: number, cost: number]> = {
  'a first request': [0, 1],
  'the last that fits': [3, 2],
  'a denied one': [4, 2],
  'one that can never fit': [1, 6],
};

const WINDOWS = [
  { limit: 5, window: '10s' },
  { limit: 8, window: '1m' },
] as const;

const GOLDEN: Record<string, Tiers> = {
  'fixed-window': [{ ...tier, algorithm: 'fixed-window' }],
  'sliding-window': [{ ...tier, algorithm: 'sliding-window' }],
  'sliding-window-log': [{ ...tier, algorithm: 'sliding-window-log' }],
  'token-bucket': [{ ...tier, algorithm: 'token-bucket', limit: 2, burst: 5 }],
  'leaky-bucket': [{ ...tier, algorithm: 'leaky-bucket', limit: 2, queue: 4 }],
  'multi-window': [{ name: 'tier', key: () => 'ada', algorithm: 'multi-window', windows: WINDOWS }],
  'several-tiers': [
    { ...tier, name: 'second', limit: 5, window: '1s' },
    { ...tier, name: 'day', limit: 1_000, window: '1d' },
    { ...tier, name: 'minute', algorithm: 'token-bucket', limit: 10 },
  ],
  shadow: [
    { ...tier, name: 'watched', limit: 1, mode: 'shadow' },
    { ...tier, name: 'minute', algorithm: 'fixed-window' },
  ],
};

const FORMATS: HeaderFormat[] = ['x-ratelimit', 'draft-11', 'draft-7', 'draft-6', 'openai'];

describe('the headers of a gate', () => {
  beforeAll(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterAll(() => jest.restoreAllMocks());

  it.each(Object.keys(GOLDEN))('C38 have the bytes of golden/%s.txt', async (name) => {
    const text = await textOf(GOLDEN[name]!);

    expect(text).toBe(readFileSync(join(root, 'test/properties/headers/golden', `${name}.txt`), 'utf8'));
  });
});

/** The headers of each step in each format. */
async function textOf(tiers: Tiers): Promise<string> {
  const blocks: string[] = [];
  for (const [step, [spent, cost]] of Object.entries(STEPS)) {
    for (const format of FORMATS) {
      const lines = await headersOf(tiers, format, spent, cost);
      blocks.push(`# ${step}, ${format}\n${lines.join('\n')}\n`);
    }
  }
  return blocks.join('\n');
}

async function headersOf(tiers: Tiers, format: HeaderFormat, spent: number, cost: number): Promise<string[]> {
  const costs = [spent, cost].values();
  const gate = createGate<IncomingMessage>({
    store: memoryStore({ clock: fakeClock(NOW) }),
    tiers,
    headers: [format],
    cost: () => costs.next().value!,
  });
  const [before, shown] = [exchange(), exchange()];
  const admissions = [before, shown].map(({ request, response }) => gate.admit(request, response));
  const lines = headerLines(shown.response);
  // A request in a queue leaves it.
  for (const { response } of [before, shown]) response.emit('close');
  await Promise.all(admissions);
  return lines;
}

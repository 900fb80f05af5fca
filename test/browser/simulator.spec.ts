import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../scripts/root.mjs';
import { optionsOf, FIRST, type Setup } from '../../site/playground/setup.js';
import { simulator, type SimulatorTexts } from '../../site/simulator/simulator.js';
import { execute } from '../support/child.js';
import { startBrowser } from './browser.js';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const [{ stdout }, started] = await Promise.all([
    execute(process.execPath, [join(root, 'site', 'simulator', 'bundle.mjs')], { maxBuffer: 2 ** 24 }),
    startBrowser(),
  ]);
  browser = started;
  page = await browser.newPage();
  await page.addScriptTag({ type: 'module', content: `${stdout}\nglobalThis.simulate = ${nameIn(stdout)};` });
});

afterAll(async () => {
  await browser?.close();
});

/** The name that the bundle has given to what it exports. */
function nameIn(bundle: string): string {
  return /export\s*\{.*?(\S+) as simulator\b/s.exec(bundle)![1]!.replace(/^.*[{,]/, '');
}

/** What the bundle answers in the browser: a report, or the message of an error. */
function inBrowser(setups: readonly SimulatorTexts[]): Promise<unknown[]> {
  return page.evaluate((all) => {
    const { simulate } = globalThis as unknown as { simulate: (texts: unknown) => unknown };
    return all.map((texts) => {
      try {
        return simulate(texts);
      } catch (error) {
        return (error as Error).message;
      }
    });
  }, setups);
}

function inNode(texts: SimulatorTexts): unknown {
  try {
    return simulator(texts);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('The simulator of the playground, in a browser,', () => {
  const first = optionsOf(FIRST);

  it('prints what sluice simulate prints', async () => {
    const { stdout } = await execute(process.execPath, [
      join(root, 'packages', 'cli', 'bin', 'sluice.js'),
      'simulate',
      '--json',
      '--limits',
      first.limits,
      '--against',
      first.against!,
      ...first.load.flatMap((each) => ['--load', each]),
    ]);
    const { v: _version, ...report } = JSON.parse(stdout) as Record<string, unknown>;

    expect(await inBrowser([first])).toEqual([report]);
  });

  it('decides as the library does, for every algorithm and load', async () => {
    const setups = fc
      .sample(
        fc.record({
          ...Object.fromEntries(Object.entries(FIRST).map(([name, value]) => [name, fc.constant(value)])),
          algorithm: fc.constantFrom('sliding-window', 'sliding-window-log', 'token-bucket', 'leaky-bucket'),
          against: fc.constantFrom('', 'fixed-window', 'token-bucket', 'leaky-bucket'),
          limit: fc.integer({ min: 1, max: 200 }).map(String),
          window: fc.constantFrom('7s', '1m', '90s'),
          burst: fc.constantFrom('', '5'),
          queue: fc.constantFrom('0', '3'),
          load: fc.constantFrom('poisson:3/s', 'steady:2/s', 'bursts:70/31s'),
          clients: fc.integer({ min: 1, max: 5 }).map(String),
          for: fc.constant('2m'),
          seed: fc.nat(1_000).map(String),
        }) as unknown as fc.Arbitrary<Setup>,
        { numRuns: 12, seed: 7 },
      )
      .map(optionsOf);

    expect(await inBrowser(setups)).toEqual(setups.map(inNode));
  });

  it('names what is wrong as the library does', async () => {
    const wrong = [
      { ...first, limits: '0/1m' },
      { ...first, limits: '5/soon' },
      { ...first, limits: 'many' },
      { ...first, limits: '100/1m token-bukket' },
      { ...first, load: ['steady:fast'] },
      { ...first, load: ['steady:900/s'] },
      { ...first, for: 'long' },
    ];

    const messages = await inBrowser(wrong);

    expect(messages).toEqual(wrong.map(inNode));
    expect(messages.every((message) => typeof message === 'string' && message.length > 20)).toBe(true);
  });
});

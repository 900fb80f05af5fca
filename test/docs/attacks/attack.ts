import { anchorOf } from '../../../site/anchor.mjs';
import type { RedisServer } from '../../support/redis.js';
import type { Site } from '../../support/site.js';
import { blocksOf } from '../blocks.js';
import { page, pages } from '../pages.js';

/** A client that tries to get more from a program of a guide than the page promises. */
export interface Attack {
  /** The page and section of the program: `recipes.md#uploads`. The second one of a section: `recipes.md#uploads 2`. */
  readonly program: string;
  /** The sentence of the page that the client tries to break. */
  readonly sentence: string;
  /** What it tries, as the test names it. */
  readonly tries: string;
  /** The program ends before this text: its own requests follow. */
  readonly until?: string;
  /** A text of the program and what stands for it, such as a limit that is smaller. */
  readonly replaces?: readonly [text: string, replacement: string];
  /** Code after the program: it exports what is served, as `served`. */
  readonly serves: string;
  /** What must hold. */
  holds(site: Site): Promise<void>;
}

const FOLDER = 'docs/guide/';
const LIMITS =
  /\b(?:rateLimit|createLimiter|createGate|createWebGate|ipList|llmTiers|loginTiers|RateLimitModule|GateTier)\b/;

/** The programs of all guides: blocks that run, or that make a limit. Each name is that of `Attack.program`. */
export function guidePrograms(): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const each of pages().filter(({ path }) => path.startsWith(FOLDER))) {
    for (const { place, own, runs } of blocksOf(each)) {
      if (!runs && !LIMITS.test(own.replaceAll(/^import [^]*?;$/gm, ''))) continue;
      const section = `${each.path.slice(FOLDER.length)}#${sectionAt(each.text, Number(place.split(':')[1]))}`;
      const nth = [...programs.keys()].filter((name) => name.split(' ')[0] === section).length + 1;
      programs.set(nth === 1 ? section : `${section} ${nth}`, own);
    }
  }
  return programs;
}

/** The program of an attack, with what it serves, on our Redis. */
export function attackedCode(
  attack: Attack,
  programs: ReadonlyMap<string, string>,
  { url, port }: RedisServer,
): string {
  const { program, until, replaces, serves } = attack;
  const code = programs.get(program) ?? '';
  const end = until === undefined ? code.length : code.indexOf(until);
  if (end < 0 || (replaces && !code.includes(replaces[0]))) throw new Error(`${program} has changed: ${attack.tries}`);
  const own = code.slice(0, end);
  return (
    `${replaces ? own.replaceAll(...(replaces as [string, string])) : own}\n${serves}\n`
      .replace(/^app\.listen\(3000\);\n/m, '')
      .replaceAll('redis://127.0.0.1:6379', url)
      .replaceAll(/\b6379\b/g, String(port))
      // A busy machine must not make a program decide without Redis.
      .replaceAll(/redisStore\(([\w.]+|clientOf\(.+\))\)/g, "redisStore($1, { deadline: '10s' })")
      .replaceAll(
        `redisStore({ url: '${url}' })`,
        `redisStore({ url: '${url}' }, { deadline: '10s', connectDeadline: '10s' })`,
      )
      .replaceAll("deadline: '200ms'", "deadline: '10s'")
  );
}

/** True if the page of an attack has its sentence. */
export function hasSentence({ program, sentence }: Attack): boolean {
  const { text } = page(FOLDER + program.split('#')[0]!);
  return text.replaceAll(/\s+/g, ' ').includes(sentence);
}

function sectionAt(text: string, line: number): string {
  const heading = text
    .split('\n')
    .slice(0, line)
    .findLast((each) => /^#+ /.test(each));
  return anchorOf(heading!.replace(/^#+ /, ''));
}

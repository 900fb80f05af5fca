import { anchorOf } from '../../../site/anchor.mjs';
import type { RedisServer } from '../../support/redis.js';
import type { Site } from '../../support/site.js';
import { blocksOf } from '../blocks.js';
import { page, pages } from '../pages.js';

/** A client that tries to get more from a program of a guide than its page promises. */
export interface Attack {
  /** The page and section of the program: `recipes.md#uploads`. The second one of a section: `recipes.md#uploads 2`. */
  readonly program: string;
  /** The sentence of the page that the client tries to break. */
  readonly sentence: string;
  /** What it tries, in the words of the table in `docs/proof.md`. */
  readonly tries: string;
  /** The program ends before this text: its own requests follow. */
  readonly until?: string;
  /** Code after the program. It exports what is served as `served`. */
  readonly serves: string;
  /** What must hold. Rejects otherwise. */
  holds(site: Site): Promise<void>;
}

/** A program of a guide: a block that runs, or that makes a limit. */
export interface GuideProgram {
  /** As in `Attack.program`. */
  readonly name: string;
  readonly code: string;
}

const FOLDER = 'docs/guide/';
const LIMITS =
  /\b(?:rateLimit|createLimiter|llmTiers|createGate|createWebGate|ipList)\b.*\(|loginTiers|RateLimitModule|GateTier/;

/** The programs of all guides. */
export function guidePrograms(): readonly GuideProgram[] {
  return pages()
    .filter(({ path }) => path.startsWith(FOLDER))
    .flatMap((each) => {
      const names = new Map<string, number>();
      return blocksOf(each)
        .filter(({ runs, code }) => runs || LIMITS.test(code))
        .map(({ place, code }) => {
          const section = `${each.path.slice(FOLDER.length)}#${sectionAt(each.text, Number(place.split(':')[1]))}`;
          const nth = (names.get(section) ?? 0) + 1;
          names.set(section, nth);
          return { name: nth === 1 ? section : `${section} ${nth}`, code };
        });
    });
}

/** The program of an attack, with what it serves, on our Redis. */
export function attackedCode({ program, until, serves }: Attack, { url, port }: RedisServer): string {
  const { code } = guidePrograms().find(({ name }) => name === program)!;
  const end = until === undefined ? code.length : code.indexOf(until);
  if (end < 0) throw new Error(`${program} has no longer: ${until}`);
  const own = code
    .slice(0, end)
    .replace(/^app\.listen\(3000\);\n/m, '')
    .replaceAll('redis://127.0.0.1:6379', url)
    .replaceAll(/\b6379\b/g, String(port));
  return `${own}\n${serves}\n`;
}

/** True if the page of an attack has its sentence. */
export function hasSentence({ program, sentence }: Attack): boolean {
  const { text } = page(FOLDER + program.slice(0, program.indexOf('#')));
  return text.replaceAll(/\s+/g, ' ').includes(sentence);
}

function sectionAt(text: string, line: number): string {
  const heading = text
    .split('\n')
    .slice(0, line)
    .findLast((each) => /^#+ /.test(each));
  return anchorOf(heading!.replace(/^#+ /, ''));
}

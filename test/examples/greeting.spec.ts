import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startRedis, type RedisServer } from '../support/redis.js';
import { everywhere, examples, type Place } from './examples.js';
import { Running } from './running.js';

const run = promisify(execFile);

/** What the commands print that stand under a heading, when they are tried from first to last. */
const promises = new Map([
  ['One of 100 requests', /^HTTP\/1.1 200 OK[^]*X-RateLimit-Limit: 100\r\nX-RateLimit-Remaining: 99\r\n/i],
  ['A search takes 5', /^(200 ){19}429 429 \nHTTP\/1.1 429 [^]*Retry-After: \d+\r\n[^]*"Too many requests\. Retry in/i],
  ['Guesses at a password', /^(401 ){5}429 429 \n$/],
  ['Who knows the password', /^HTTP\/1.1 200 OK[^]*X-RateLimit-Limit: 10\r\n[^]*\{"user":"grace","plan":"pro"\}\n$/i],
  ['Plans', /^free-key (200 ){5}429 429 \npro-key (200 ){7}\nmy-key (401 ){7}\n$/],
  // The lines come as they are ready.
  [
    'Six reports at once',
    /^(?=([^]*^429 after 0){2})(?=([^]*^200 after [0-3]){4})(?=[^]*^200 after [23])(.+ s\n){6}$/m,
  ],
  ['No limit', /^HTTP\/1.1 200 OK\r\n(?![^]*ratelimit)[^]*\{"healthy":true\}\n$/i],
]);
const headings = [...promises.keys()];

interface Tried {
  sections: readonly string[];
  /** What each section printed, by its heading. */
  printed: ReadonlyMap<string, string>;
  complaints: string;
}

describe('The greeting', () => {
  const running = new Running();
  const tried = new Map<string, Tried>();
  let servers: RedisServer[];
  let canTry: boolean;

  beforeAll(async () => {
    canTry = await has('curl');
    servers = await Promise.all(examples.map(() => startRedis()));
    // All at once: most of the time they wait for their reports.
    await Promise.all(everywhere.map(async ([name, place]) => tried.set(`${name} ${place}`, await greet(name, place))));
  }, 60_000);

  afterAll(async () => {
    await running.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  async function greet(name: string, place: Place): Promise<Tried> {
    const index = examples.findIndex((example) => example.name === name);
    const environment = place === 'Redis' ? { REDIS_URL: servers[index]!.url } : undefined;
    const example = await running.start(examples[index]!, environment);
    const sections = example.greeting.split('\n\n').filter((section) => commandsOf(section).length > 0);
    const printed = new Map<string, string>();
    for (const section of canTry ? sections : []) {
      const outputs = [];
      for (const command of commandsOf(section)) outputs.push((await run('sh', ['-c', command])).stdout);
      printed.set(headingOf(section), outputs.join(''));
    }
    return { sections, printed, complaints: example.complaints() };
  }

  describe.each(everywhere)('of %s, counted in %s,', (name, place) => {
    const known = () => tried.get(`${name} ${place}`)!;

    it('has nothing in it but what is tried here', () => {
      expect(known().sections.map((section) => headingOf(section))).toEqual(headings);
    });

    it.each(headings)('prints commands that do what it says: "%s"', (heading) => {
      if (!canTry) return;

      expect(known().printed.get(heading)).toMatch(promises.get(heading)!);
    });

    it('has commands that nothing is to be said against', () => {
      expect(known().complaints).toBe('');
    });
  });
});

/** Commands of a shell: what is indented, with the lines that go on with it. */
function commandsOf(section: string): string[] {
  return section.match(/^ {2}\S.*(\n {4}.+)*/gm) ?? [];
}

function headingOf(section: string): string {
  return headings.find((heading) => section.startsWith(heading)) ?? section;
}

async function has(program: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

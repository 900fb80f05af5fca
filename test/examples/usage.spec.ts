import { execute } from '../support/child.js';
import { examples } from './examples.js';
import { ExampleProcesses } from './example-process.js';

/** What the commands under each heading print. */
const outputs = new Map([
  ['One of 100 requests', /^HTTP\/1.1 200 OK[^]*X-RateLimit-Limit: 100\r\nX-RateLimit-Remaining: 99\r\n/i],
  ['A search costs 5', /^(200 ){19}429 429 \nHTTP\/1.1 429 [^]*Retry-After: \d+\r\n[^]*"Too many requests\. Retry in/i],
  ['Password guesses', /^(401 ){6}429 \n$/],
  [
    'A login with the password',
    /^HTTP\/1.1 200 OK[^]*X-RateLimit-Limit: 10\r\n[^]*\{"user":"grace","plan":"pro"\}\n$/i,
  ],
  ['Plans', /^free-key (200 ){5}429 429 \npro-key (200 ){7}\nmy-key (401 ){7}\n$/],
  // The lines arrive in the order of the answers, and up to a second late on a busy machine.
  [
    'Six reports at once',
    /^(?=([^]*^429 after [01]){2})(?=([^]*^200 after [0-4]){4})(?=[^]*^200 after [2-4])(.+ s\n){6}$/m,
  ],
  ['No limit', /^HTTP\/1.1 200 OK\r\n(?![^]*ratelimit)[^]*\{"healthy":true\}\n$/i],
]);
const headings = [...outputs.keys()];

interface Attempt {
  readonly sections: readonly string[];
  /** The output of each section, by its heading. */
  readonly printed: ReadonlyMap<string, string>;
  readonly errors: string;
}

// same-answers.spec.ts compares the answers of the other examples, and on Redis, with those of the first.
describe('The usage text', () => {
  const processes = new ExampleProcesses();
  let done: Attempt;
  let hasCurl: boolean;

  beforeAll(async () => {
    hasCurl = await has('curl');
    done = await attempt();
  });

  afterAll(() => processes.stop());

  async function attempt(): Promise<Attempt> {
    const example = await processes.start(examples[0]!);
    const sections = example.greeting.split('\n\n').filter((section) => commandsOf(section).length > 0);
    const printed = new Map<string, string>();
    for (const section of hasCurl ? sections : []) {
      let text = '';
      for (const command of commandsOf(section)) text += (await execute('sh', ['-c', command])).stdout;
      printed.set(headingOf(section), text);
    }
    return { sections, printed, errors: example.errors() };
  }

  it('has only sections that this spec runs', () => {
    expect(done.sections.map((section) => headingOf(section))).toEqual(headings);
  });

  it.each(headings)('has commands that work: "%s"', (heading) => {
    if (!hasCurl) return;

    expect(done.printed.get(heading)).toMatch(outputs.get(heading)!);
  });

  it('has commands that cause no error', () => {
    expect(done.errors).toBe('');
  });
});

/** Shell commands: indented by two spaces, continued by four. */
function commandsOf(section: string): string[] {
  return section.match(/^ {2}\S.*(\n {4}.+)*/gm) ?? [];
}

function headingOf(section: string): string {
  return headings.find((heading) => section.startsWith(heading)) ?? section;
}

async function has(program: string): Promise<boolean> {
  return execute('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

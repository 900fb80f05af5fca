import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonAdvice, pythonTools } from '../../scripts/languages.mjs';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { environment } from '../support/environment.js';
import type { Language } from './language-client.js';
import { guideLimits } from './guide-limits.js';
import { protocolSuite } from './protocol-suite.js';
import { withServers } from '../server/with-server.js';

const PROGRAMS = join(root, 'test', 'languages', 'programs');

/** A folder with the stubs of both protocols, as `grpc_tools.protoc` makes them. */
async function makeStubs(folder: string): Promise<Language> {
  const tools = pythonTools();
  if (tools === undefined) throw new Error(pythonAdvice);
  const { python, protoc, plugin } = tools;
  for (const [place, file] of [
    [join(root, 'packages', 'server'), 'ratelimit.proto'],
    [PROGRAMS, 'health.proto'],
  ] as const) {
    const out = [`--python_out=${folder}`, `--grpc_python_out=${folder}`];
    await execute(protoc, [`--plugin=protoc-gen-grpc_python=${plugin}`, '-I', place, ...out, file]);
  }
  return { name: 'Python', command: [python, join(PROGRAMS, 'client.py')], env: { PYTHONPATH: folder } };
}

describe('A client in Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-python-'));
  let python: Language;

  beforeAll(async () => {
    python = await makeStubs(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  protocolSuite(() => python);
});

describe('check.py of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-python-'));
  const start = withServers();

  afterAll(() => rmSync(folder, { recursive: true }));

  it('prints the answer of the service, and what is left', async () => {
    const { command, env } = await makeStubs(folder);
    const { server } = await start(guideLimits());
    const program = readFileSync(join(root, 'examples', 'one-limit', 'check.py'), 'utf8');
    const file = join(folder, 'check.py');
    writeFileSync(file, program.replace('127.0.0.1:8081', `127.0.0.1:${server.ports.grpc}`));

    const printed = [];
    for (let count = 0; count < 2; count += 1) {
      printed.push((await execute(command[0], [file], { env: environment(env) })).stdout);
    }

    expect(printed).toEqual(['OK 599\n', 'OK 598\n']);
  });
});

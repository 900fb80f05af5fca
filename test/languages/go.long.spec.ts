import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { goAdvice, goTools } from '../../scripts/languages.mjs';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import type { Language } from './language-client.js';
import { guideLimits } from './guide-limits.js';
import { protocolSuite } from './protocol-suite.js';
import { withServers } from '../server/with-server.js';

/** A build of gRPC by a compiler that has nothing in its cache. */
const TIMEOUT_MS = 300_000;
const PROGRAMS = join(root, 'test', 'languages', 'programs');

/** Debian has the types of Google for Go under this name. Newer packages have others, of which these are aliases. */
const TYPES = 'github.com/golang/protobuf/ptypes';
const mapped = ['duration', 'struct', 'timestamp', 'wrappers'].map(
  (name) => `Mgoogle/protobuf/${name}.proto=${TYPES}/${name}`,
);

/** Builds a program of Go in a folder of its own. @returns its path */
async function build(folder: string, name: string, file: string): Promise<string> {
  const { go, sources } = toolsOfGo();
  const place = join(folder, 'src', name);
  mkdirSync(place, { recursive: true });
  copyFileSync(file, join(place, 'main.go'));
  const built = join(folder, `${name}-program`);
  // Packages of Debian are no modules.
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: [folder, sources].join(delimiter), GOFLAGS: '' };
  await execute(go, ['build', '-o', built, name], { cwd: folder, env });
  return built;
}

async function makeStubs(folder: string): Promise<void> {
  const { protoc, plugins } = toolsOfGo();
  mkdirSync(join(folder, 'src'));
  const path = [dirname(plugins[0]!), process.env['PATH']].join(delimiter);
  for (const [place, proto] of [
    [join(root, 'packages', 'server'), 'ratelimit.proto'],
    [PROGRAMS, 'health.proto'],
  ] as const) {
    const out = [`--go_out=${mapped.join(',')}:src`, '--go-grpc_out=src'];
    await execute(protoc, ['-I', place, ...out, proto], { cwd: folder, env: { ...process.env, PATH: path } });
  }
}

function toolsOfGo() {
  const tools = goTools();
  if (tools === undefined) throw new Error(goAdvice);
  return tools;
}

describe('A client in Go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-go-'));
  let go: Language;

  beforeAll(async () => {
    await makeStubs(folder);
    go = { name: 'Go', command: [await build(folder, 'client', join(PROGRAMS, 'client.go'))], env: {} };
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  protocolSuite(() => go);
});

describe('check.go of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-go-'));
  const start = withServers();

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'prints the status of the service, and what is left',
    async () => {
      const { server } = await start(guideLimits());
      const program = readFileSync(join(root, 'examples', 'one-limit', 'check.go'), 'utf8');
      const file = join(folder, 'check.go');
      writeFileSync(file, program.replace('127.0.0.1:8080', `127.0.0.1:${server.ports.http}`));
      const built = await build(folder, 'check', file);

      const printed = [(await execute(built, [])).stdout, (await execute(built, [])).stdout];

      expect(printed).toEqual(['200 599\n', '200 598\n']);
    },
    TIMEOUT_MS,
  );
});

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
import { isMain } from './root.mjs';

const advice = (/** @type {string} */ language, /** @type {string} */ needs, /** @type {string} */ variables) =>
  `test/languages/${language} did not run, because it needs ${needs}: install them, or set ${variables}.`;

export const pythonAdvice = advice(
  'python',
  'Python with grpcio and protobuf, protoc and grpc_python_plugin',
  'SLUICE_PYTHON to that Python, and SLUICE_PROTOC to the folder of the others',
);
export const goAdvice = advice(
  'go',
  'Go with the sources of google.golang.org/grpc, protoc, protoc-gen-go and protoc-gen-go-grpc',
  'SLUICE_GO to that program, SLUICE_GOPATH to the folder of the sources, and SLUICE_PROTOC to the folder of the others',
);

const PYTHON_PACKAGES = ['python3-grpcio', 'python3-protobuf', 'protobuf-compiler', 'protobuf-compiler-grpc'];
const GO_PACKAGES = [
  'golang-go',
  'golang-google-grpc-dev',
  'golang-goprotobuf-dev',
  'protobuf-compiler',
  'protoc-gen-go-grpc',
];
/** Where Debian has sources of Go. */
const GO_SOURCES = '/usr/share/gocode';

/**
 * A Python that can call gRPC, and what makes stubs for it. Installs them where that is allowed. Undefined without them.
 *
 * @returns {{ python: string, protoc: string, plugin: string } | undefined}
 */
export function pythonTools() {
  return findPython() ?? (installs('SLUICE_PYTHON', PYTHON_PACKAGES) ? findPython() : undefined);
}

/**
 * A Go that can call gRPC, and what makes stubs for it. Installs them where that is allowed. Undefined without them.
 *
 * @returns {{ go: string, sources: string, protoc: string, plugins: readonly string[] } | undefined}
 */
export function goTools() {
  return findGo() ?? (installs('SLUICE_GO', GO_PACKAGES) ? findGo() : undefined);
}

function findPython() {
  const named = process.env['SLUICE_PYTHON'];
  // The first of the path may be one of a version manager, which does not have the packages of Debian.
  const python = (named ? [named] : [onPath('python3'), '/usr/bin/python3']).find(
    (program) => program !== undefined && isProgram(program) && hasGrpc(program),
  );
  const protoc = tool('protoc');
  const plugin = tool('grpc_python_plugin');
  return python && protoc && plugin ? { python, protoc, plugin } : undefined;
}

/** @param {string} python */
function hasGrpc(python) {
  return spawnSync(python, ['-c', 'import grpc, google.protobuf'], { stdio: 'ignore' }).status === 0;
}

function findGo() {
  const named = process.env['SLUICE_GO'];
  const go = named ? (isProgram(named) ? named : undefined) : onPath('go');
  const sources = process.env['SLUICE_GOPATH'] || GO_SOURCES;
  const protoc = tool('protoc');
  const plugins = ['protoc-gen-go', 'protoc-gen-go-grpc'].map(tool);
  const isComplete = existsSync(join(sources, 'src', 'google.golang.org', 'grpc')) && !plugins.includes(undefined);
  return go && protoc && isComplete ? { go, sources, protoc, plugins: /** @type {string[]} */ (plugins) } : undefined;
}

/** @param {string} program */
function tool(program) {
  const folder = process.env['SLUICE_PROTOC'];
  if (!folder) return onPath(program);
  const path = join(folder, program);
  return isProgram(path) ? path : undefined;
}

/** None of them starts a service. @param {string} variable @param {readonly string[]} packages */
function installs(variable, packages) {
  if (process.env[variable] || process.env['SLUICE_PROTOC']) return false;
  const add = () => apt('install', '-y', '--no-install-recommends', ...packages);
  return add() || (apt('update') && add());
}

if (isMain(import.meta.url)) {
  console.log(pythonTools() ?? pythonAdvice);
  console.log(goTools() ?? goAdvice);
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const redis = dependenciesOf('ioredis');
const parser = dependenciesOf('@babel/parser');
const all = [...dependenciesOf('@sluice/cli')];
const ours = all.filter((name) => name.startsWith('@sluice/'));
const others = all.filter((name) => !ours.includes(name) && !parser.has(name) && !redis.has(name));
const sluice = (...args) => execFileSync(join('node_modules', '.bin', 'sluice'), args, { encoding: 'utf8' });

console.log(
  JSON.stringify({
    commands: [...sluice('--help').matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name),
    monitoring: sluice('monitoring', '--out', 'monitoring').trim().split('\n').length,
    megabytes: { ours: megabytesOf(ours), parser: megabytesOf([...parser]), others: megabytesOf(others) },
  }),
);

function megabytesOf(names) {
  return names.reduce((sum, name) => sum + bytesOf(folderOf(name)), 0) / 1e6;
}

/** A package and all that it installs. */
function dependenciesOf(name, known = new Set()) {
  if (known.has(name) || !existsSync(folderOf(name))) return known;
  known.add(name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
  for (const each of Object.keys(dependencies)) dependenciesOf(each, known);
  return known;
}

function folderOf(name) {
  return join('node_modules', name);
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true }).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

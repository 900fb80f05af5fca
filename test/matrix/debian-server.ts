import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../../scripts/on-path.mjs';
import { cache } from './cache.js';
import { Gap } from './row.js';

const run = promisify(execFile);
const ARCHIVE = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** A server in a package of Debian. */
export interface DebianServer {
  /** `bookworm`, `trixie`, `forky`: each has other versions. */
  readonly suite: string;
  readonly package: string;
  /** The server goes by the name of the program that checks its files: they are one file. */
  readonly checker: string;
}

/**
 * A program that starts the server. Downloads its package, with all packages that it needs, into a folder of its own:
 * nothing is installed, and the sources of the machine stay as they are. The server runs on the C library of its own
 * suite, because that of the machine can be older.
 */
export async function debianServer(server: DebianServer): Promise<string> {
  const folder = join(cache, `${server.package}-${server.suite}`);
  const start = join(folder, 'start');
  if (existsSync(start)) return start;
  if (!onPath('apt-get') || !onPath('dpkg-deb')) throw new Gap('needs apt');

  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    const packages = await download(draft, server).catch((error: unknown) => {
      throw new Gap(`apt cannot download ${server.package} of ${server.suite}`, { cause: error });
    });
    const unpacked = join(draft, 'root');
    mkdirSync(unpacked);
    for (const file of packages) await run('dpkg-deb', ['--extract', file, unpacked]);
    writeStart(draft, folder, server.checker);
    rmSync(join(draft, 'apt'), { recursive: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return start;
}

/** Resolves with the packages: an apt that knows one suite, and of no installed package, downloads all of them. */
async function download(draft: string, server: DebianServer): Promise<readonly string[]> {
  const apt = join(draft, 'apt');
  const archives = join(apt, 'cache', 'archives');
  for (const folder of [join(apt, 'lists', 'partial'), join(archives, 'partial')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(apt, 'status'), '');
  writeFileSync(join(apt, 'sources.list'), `deb [signed-by=${await keyring(apt)}] ${ARCHIVE} ${server.suite} main\n`);
  const settings: Readonly<Record<string, string>> = {
    'Dir::State': apt,
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferences': '-',
    'Dir::Etc::preferencesparts': '-',
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
  };
  const path = join(apt, 'apt.conf');
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  const env = { ...process.env, APT_CONFIG: path, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env });
  await run('apt-get', ['install', '--yes', '--download-only', server.package], { env });
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name));
}

/** The keys of Debian, which a kin of it has in a package. */
async function keyring(folder: string): Promise<string> {
  if (existsSync(KEYRING)) return KEYRING;
  const options = ['--option', 'APT::Sandbox::User=root'];
  await run('apt-get', ['download', ...options, 'debian-archive-keyring'], { cwd: folder });
  const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('debian-archive-keyring'));
  await run('dpkg-deb', ['--extract', file, '.'], { cwd: folder });
  return join(folder, KEYRING);
}

/** Writes a program that starts the server with its own loader and libraries. */
function writeStart(draft: string, folder: string, checker: string): void {
  const files = readdirSync(join(draft, 'root'), { recursive: true, encoding: 'utf8' });
  const loader = files.find((file) => /^(usr\/)?lib\d*\/ld-linux[\w-]*\.so\.\d$/.test(file));
  const libraries = files.filter((file) => /^(usr\/)?lib\/[\w-]+-linux-gnu$/.test(file));
  if (!loader || !files.includes(`usr/bin/${checker}`)) throw new Gap(`its packages hold no ${checker}`);
  const at = (file: string) => join(folder, 'root', file);
  const name = checker.replace(/-check-rdb$/, '-server');
  const path = join(draft, 'start');
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${at(loader)}' --argv0 ${name} --library-path '${libraries.map(at).join(':')}' '${at(`usr/bin/${checker}`)}' "$@"\n`,
  );
  chmodSync(path, 0o755);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { changedCopy } from './changed-copy.js';
import { peers, type Peer } from './peers.js';
import { Gap, type Row, type Specs } from './row.js';
import { serverSpecs } from './server-rows.js';
import { alternativesOf, lineOf, lowestOf } from './version-range.js';

/** Clients that are no peers, because the application passes them to `redisStore`. */
const PASSED_CLIENTS: readonly (readonly [name: string, member: string, range: string])[] = [
  ['node-redis', 'redis', '^5.0.0'],
  ['node-redis', 'redis', '^6.0.0'],
  ['iovalkey', 'iovalkey', '~0.4.0'],
];

const OTHER_SUBJECTS = /^test\/(browser|docs|nginx|packaging|site)\//;

/** Rows of each line of each peer, and one of the lowest version of all. */
export function peerRows(): readonly Row[] {
  const all = peers();
  return [
    ...all.flatMap((peer) => alternativesOf(peer.range).map((range) => peerRow(peer, range))),
    ...PASSED_CLIENTS.map(([name, member, range]): Row => ({
      axis: 'clients',
      name: `${name} ${lineOf(range)}`,
      specs: { dependOn: [], match: /^test\/redis\/other-clients/, except: /^$/ },
      prepare: () => settingOf(member, member, 'test', range),
    })),
    lowestRow(all),
  ];
}

function peerRow(peer: Peer, range: string): Row {
  return {
    axis: isClient(peer) ? 'clients' : 'frameworks',
    name: `${peer.name} ${lineOf(range)}`,
    specs: specsOf([peer]),
    prepare: () => settingOf(peer.name, peer.members[0]!, packageFolder(peer), range),
  };
}

function lowestRow(all: readonly Peer[]): Row {
  const lowest = all.map((peer) => ({ peer, range: lowestOf(alternativesOf(peer.range)[0]!) }));
  return {
    axis: 'frameworks',
    name: 'lowest versions',
    specs: specsOf(all),
    async prepare() {
      const changes = lowest.map(({ peer, range }) => {
        const installed = installedVersion(root, packageFolder(peer), peer.members[0]!);
        return { name: peer.name, range, from: lineOf(installed) };
      });
      const version = changes.map(({ name, range }) => `${name} ${range}`).join(', ');
      return { ...(await changedCopy(changes)), version, environment: {} };
    },
  };
}

/** The workspace if it has this version installed, or a copy that has. */
async function settingOf(name: string, member: string, folder: string, range: string) {
  const line = lineOf(range);
  const installed = installedVersion(root, folder, member);
  if (lineOf(installed) === line) {
    return { version: installed, folder: root, environment: {}, dispose: async () => undefined };
  }
  const copy = await changedCopy([{ name, range, from: lineOf(installed) }]);
  const version = installedVersion(copy.folder, folder, member);
  if (lineOf(version) === line) return { ...copy, version, environment: {} };
  await copy.dispose();
  throw new Gap(`pnpm installs ${version} for ${range}`);
}

function installedVersion(workspace: string, folder: string, member: string): string {
  const path = join(workspace, folder, 'node_modules', member, 'package.json');
  if (!existsSync(path)) throw new Gap(`${folder} does not install ${member}`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** The Redis store needs only clients. */
function isClient({ usedBy }: Peer): boolean {
  return usedBy.includes('redis');
}

function packageFolder({ usedBy }: Peer): string {
  return join('packages', usedBy[0]!);
}

/** The specs that start a server for a client, else those that use a package with this peer. */
function specsOf(all: readonly Peer[]): Specs {
  const folders = [...new Set(all.filter((peer) => !isClient(peer)).flatMap(({ usedBy }) => usedBy))];
  return {
    dependOn: [
      ...folders.map((folder) => `packages/${folder}/src/index.ts`),
      ...(all.some(isClient) ? serverSpecs.dependOn : []),
    ],
    // Programs that a spec starts, which it does not import.
    ...(folders.length > 0 && { match: new RegExp(`(^|/)(${folders.join('|')})(/|-|\\.)`) }),
    except: folders.length > 0 ? OTHER_SUBJECTS : serverSpecs.except,
  };
}

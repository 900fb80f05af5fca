import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publishedPackages } from '../../scripts/workspace.mjs';

/** What packages of this workspace expect an application to install. */
export interface Peer {
  /** The package, or the scope of several that have one version: `@nestjs`. */
  readonly name: string;
  /** The members of the scope, or the package alone. */
  readonly members: readonly string[];
  readonly range: string;
  /** The folders of the packages with this peer. */
  readonly usedBy: readonly string[];
}

interface Manifest {
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The peers of the published packages. */
export function peers(): readonly Peer[] {
  return peersOf(
    publishedPackages().map((folder) => [
      basename(folder),
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
    ]),
  );
}

/** The peers of packages. Types are not run, so they are left out. */
export function peersOf(manifests: readonly (readonly [folder: string, manifest: Manifest])[]): readonly Peer[] {
  const found = new Map<string, Peer>();
  for (const [folder, { peerDependencies = {} }] of manifests) {
    for (const [member, range] of Object.entries(peerDependencies)) {
      if (member.startsWith('@types/')) continue;
      const name = peersInScope(member, range, peerDependencies) > 1 ? member.split('/')[0]! : member;
      const known = found.get(name) ?? { name, range, members: [], usedBy: [] };
      if (known.range !== range) {
        throw new Error(`${folder} admits ${name} ${range}, and ${known.usedBy.join(', ')} ${known.range}`);
      }
      found.set(name, {
        ...known,
        members: [...new Set([...known.members, member])],
        usedBy: [...new Set([...known.usedBy, folder])],
      });
    }
  }
  return [...found.values()];
}

/** How many peers of the same package come from one scope with one range. */
function peersInScope(member: string, range: string, all: Readonly<Record<string, string>>): number {
  const scope = /^@[^/]+\//.exec(member)?.[0];
  return Object.entries(all).filter(([name, each]) => scope && name.startsWith(scope) && each === range).length;
}

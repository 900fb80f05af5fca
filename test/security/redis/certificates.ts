import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = (args: readonly string[]) => promisify(execFile)('openssl', args);

/** A certificate authority. */
export interface Authority {
  /** Its certificate, for `tls: { ca }`. */
  readonly ca: string;
  /** The path of that certificate. */
  readonly path: string;
  /** Signs a certificate for an address, and resolves with the paths of it and its key. */
  sign(address: string): Promise<Certificate>;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The reason why no certificate can be made here, or undefined. */
export function whyNotSigned(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed';
}

/** Makes an authority with files of a unique name in a folder. */
export async function makeAuthority(folder: string, name: string): Promise<Authority> {
  const [path, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  await openssl(['req', '-x509', '-nodes', ...newKey(key), '-subj', `/CN=${name}`, '-days', '2', '-out', path]);
  return {
    ca: await readFile(path, 'utf8'),
    path,
    async sign(address) {
      const signed = join(folder, `${name}-${address}`);
      const [request, names] = [`${signed}.csr`, `${signed}.txt`];
      await writeFile(names, `subjectAltName=IP:${address}\n`);
      await openssl(['req', '-nodes', ...newKey(`${signed}.key`), '-subj', '/CN=redis', '-out', request]);
      const by = ['-CA', path, '-CAkey', key, '-CAcreateserial', '-extfile', names, '-days', '2'];
      await openssl(['x509', '-req', '-in', request, ...by, '-out', `${signed}.crt`]);
      return { cert: `${signed}.crt`, key: `${signed}.key` };
    },
  };
}

function newKey(path: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', path];
}

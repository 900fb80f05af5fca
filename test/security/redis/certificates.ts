import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = (args: readonly string[]) => promisify(execFile)('openssl', args);

/** One that signs certificates, and its own, by which they are known. */
export interface Authority {
  /** Its own certificate, as `tls: { ca }` takes it. */
  readonly ca: string;
  /** Where that is. */
  readonly path: string;
  /** Signs a certificate for an address, and resolves with where it and its key are. */
  sign(address: string): Promise<Certificate>;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Why no certificate can be made here; undefined where one can. */
export function whyNotSigned(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed';
}

/** Makes an authority whose files are in a folder, under a name that no other has there. */
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

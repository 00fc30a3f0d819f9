import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { clearIfLeft } from '../../../dev/leftovers.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { onPath, runCommand } from '../../../dev/services/exec.js';

/** A key and a certificate for a server. Its clients have to trust the certificate. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** The certificate in the PEM format. */
  readonly cert: string;
}

/** A self-signed certificate for 127.0.0.1. Returns undefined if openssl is not installed. */
export async function makeCertificate(t: Pick<Test, 'teardown'> & MaySkip): Promise<Certificate | undefined> {
  const openssl = await onPath('openssl');
  if (openssl === null) {
    notRun(t, 'openssl is not to be had');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-tls-'));
  const cleared = clearIfLeft(folder);
  t.teardown(async () => {
    await rm(folder, { recursive: true, force: true });
    cleared();
  });
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  await runCommand(openssl, ['req', ...kind, '-keyout', keyFile, '-out', certFile, ...subject], {
    timeoutMs: 60_000,
  });
  return { certFile, keyFile, cert: await readFile(certFile, 'utf8') };
}

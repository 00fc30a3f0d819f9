import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../programs.js';
import { withLock } from '../services/lock.js';

const run = promisify(execFile);
const needed = ['mvn', 'javac', 'python3'] as const;

/** @returns the name of a program that Keycloak needs here and that is not installed */
export async function missingForKeycloak(): Promise<string | undefined> {
  for (const name of needed) if ((await findProgram(name)) === undefined) return name;
  return undefined;
}

/**
 * Keycloak as its makers built it. It comes from Maven Central once, and stays in the data folder.
 * @returns the folder of its programs
 */
export async function fetchKeycloak(version: string): Promise<string> {
  const parent = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'keycloak');
  const folder = join(parent, `keycloak-${version}`);
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  await mkdir(parent, { recursive: true });
  await withLock(join(parent, 'install.lock'), async () => {
    if (existsSync(folder)) return;
    const unpacked = join(parent, 'unpacked');
    await rm(unpacked, { recursive: true, force: true });
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    await run('mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${unpacked}`]);
    const zip = join(unpacked, `keycloak-quarkus-dist-${version}.zip`);
    await run('python3', ['-m', 'zipfile', '-e', zip, unpacked]);
    await rename(join(unpacked, `keycloak-${version}`), folder);
    await rm(unpacked, { recursive: true });
  });
  return folder;
}

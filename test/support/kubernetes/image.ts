import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What `docker build` makes of this repository, as far as a process can tell: its files and its environment. */
export interface Image {
  /** Arguments of bubblewrap that lay out the file system. */
  readonly layout: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a command ended, and what it wrote. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in a container of the image. */
export interface Run {
  readonly command: readonly string[];
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of this machine by where they are inside. */
  readonly volumes?: ReadonlyMap<string, string>;
  readonly readOnly?: boolean;
}

/** The user of the Dockerfile. */
const node = { uid: 1000, gid: 1000 };

/** Arguments of bubblewrap for a container: namespaces of its own but for the network, process 1, no capabilities. */
export function containerArguments(
  image: Image,
  { command, user = node, env = {}, volumes = new Map(), readOnly = false }: Run,
): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
    ...['--uid', String(user.uid), '--gid', String(user.gid), '--as-pid-1', '--cap-drop', 'ALL'],
    ...image.layout,
    ...[...volumes].flatMap(([inside, here]) => ['--bind', here, inside]),
    ...(readOnly ? ['--remount-ro', '/'] : []),
    '--clearenv',
    ...Object.entries({ ...image.env, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...command,
  ];
}

/** Runs a command to its end. */
export function runInImage(image: Image, run: Run): Promise<Output> {
  return new Promise((done) => {
    execFile('bwrap', containerArguments(image, run), (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 127;
      done({ code: error === null ? 0 : code, stdout, stderr });
    });
  });
}

/**
 * The image of the Dockerfile from what is here: Node.js of this machine, packages, and the compiled code in `dist/`.
 * @param folder for what the image has and this machine does not
 */
export async function imageHere(folder: string): Promise<Image> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  // The link that the Dockerfile makes, where nothing can be added to /usr/local/bin.
  const muster = '#!/bin/sh\nexec node /app/dist/src/cli/main.js "$@"\n';
  await writeFile(join(bin, 'muster'), muster, { mode: 0o755 });
  const lines = (await readFile('Dockerfile', 'utf8')).split('\n').filter((line) => line.startsWith('ENV '));
  const pairs = lines.flatMap((line) => [...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)]);
  const env = Object.fromEntries(pairs.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
  const node = dirname(process.execPath);
  const readable = (path: string, at = path) => ['--ro-bind-try', resolve(path), at];
  return {
    layout: [
      ...['--tmpfs', '/'],
      ...['/usr', '/bin', '/lib', '/lib64', '/etc/ssl', '/etc/hosts', '/etc/resolv.conf', node].flatMap(
        (path) => readable(path),
      ),
      ...['package.json', 'node_modules', 'dist'].flatMap((path) => readable(path, `/app/${path}`)),
      ...readable(bin, '/muster'),
      ...['--proc', '/proc', '--dev', '/dev', '--chdir', '/app'],
    ],
    env: { ...env, PATH: `/muster:${node}:/usr/bin:/bin` },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * The keeper: a shell that reads what to remove until its input closes. The operating system closes the input when this
 * process ends, even by SIGKILL. Each line replaces the earlier line of its kind: process ids, or folders separated by
 * colons.
 */
const keeper = `
trap '' HUP INT TERM
while read -r kind list; do
  case $kind in pids) pids=$list ;; folders) folders=$list ;; esac
done
end() { kill -s KILL -- "-$1" || kill -s KILL "$1"; }
for pid in $pids; do end "$pid"; done
IFS=:
for folder in $folders; do
  unset IFS
  for pid in $(sed -n 's/^ *"pid": \\([0-9]*\\),*$/\\1/p' "$folder/services.json"); do end "$pid"; done
  rm -rf -- "$folder"
done
`;

let input: Socket | undefined;
const pids = new Set<number>();
const folders = new Set<string>();

/** Kills a process and its group if this process ends first, in whatever way. */
export function killIfLeft(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  pids.add(pid);
  tell();
  child.once('exit', () => {
    pids.delete(pid);
    tell();
  });
}

/**
 * When this process ends, removes a folder and kills the services that the folder's `services.json` records.
 * @returns a function that cancels this. Call it when the folder and the services are gone.
 */
export function clearIfLeft(folder: string): () => void {
  folders.add(folder);
  tell();
  return () => {
    folders.delete(folder);
    tell();
  };
}

function tell(): void {
  input ??= startKeeper();
  input.write(`pids ${[...pids].join(' ')}\nfolders ${[...folders].join(':')}\n`);
}

function startKeeper(): Socket {
  // The keeper gets its own session, so that neither Ctrl-C nor a signal to the group of this process reaches it.
  const child = spawn('sh', ['-c', keeper], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  const { stdin } = child;
  if (!(stdin instanceof Socket)) throw new Error('The keeper has no input');
  stdin.on('error', () => undefined);
  stdin.unref();
  return stdin;
}

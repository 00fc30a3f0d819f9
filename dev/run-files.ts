import t, { type Test } from 'tap';
import { laterFiles } from './later-files.js';

const tests = new Map<string, Test>();

/** How a file that finds nothing to test here ends its process. It must not end those after it. */
class Ended extends Error {}

/**
 * Runs test files one after another in this process, so that they share what takes long: starting Node.js, and loading and
 * compiling the service. A single file has the test of the process.
 * @param files for each file, how it is loaded
 * @param first the file to run first, or alone
 */
export async function runFiles(
  files: Readonly<Record<string, () => Promise<unknown>>>,
  first = '',
): Promise<void> {
  const later = process.env[laterFiles]?.split(',') ?? [];
  // Processes that a test starts run other files.
  delete process.env[laterFiles];
  const chosen = [first, ...later];
  const load = async (file: string) => {
    const one = files[file];
    if (one === undefined) throw new Error(`The bundle has no ${file}`);
    await one();
  };
  if (later.length === 0) return load(first);
  const { exit } = process;
  // The limit of the process is that of all files.
  const timeout = (Number(process.env['TAP_TIMEOUT']) / chosen.length) * 1000;
  for (const file of chosen)
    t.test(file, { timeout }, async (test) => {
      tests.set(file, test);
      process.exit = () => {
        throw new Ended();
      };
      try {
        await load(file);
      } catch (error) {
        if (!(error instanceof Ended)) throw error;
      } finally {
        process.exit = exit;
      }
    });
}

/** What a test file gets as the default of the package tap. */
export function testOf(file: string): Test {
  return tests.get(file) ?? t;
}

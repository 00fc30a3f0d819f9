import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attacks } from './hostile/attacks.js';
import { openField } from './hostile/field.js';
import { type Felt, fullHostilePace, type HostilePace, measureAttack, warmUp } from './hostile/measure.js';
import { failuresOf, hostileTables } from './hostile/report.js';
import { machineFacts, today } from './report.js';

const log = (message: string) => console.error(message);

/** With the 45 clauses of the searches, this is just what MUSTER_SCIM_SCAN_LIMIT permits. */
const fullPeople = 44_000;

/**
 * Attacks two API processes behind nginx, and measures what the client of another organization feels. `--only A4,B3` runs
 * the attacks whose names contain one of these texts. `--seconds 3` shortens the phases, `--people 2000` makes the attacker's
 * organization smaller, and `--rounds 1` bounds the rounds, for trials. With any of them, no file is written.
 *
 * @returns whether each 95th percentile stays within its bound and no request of the bystander fails
 */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string' },
      people: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const { only, seconds, people, rounds } = values;
  const started = Date.now();
  const pace: HostilePace = {
    ...fullHostilePace,
    ...(seconds !== undefined && { phaseMs: Number(seconds) * 1000 }),
    ...(rounds !== undefined && { rounds: Number(rounds), moreRounds: 0 }),
  };
  const chosen = attacks.filter(({ name }) => only.split(',').some((text) => name.includes(text)));
  const field = await openField({ people: Number(people ?? fullPeople), part: 1, log });
  const felt: Felt[] = [];
  try {
    await warmUp(field, pace);
    for (const attack of chosen) {
      log(attack.name);
      const one = await measureAttack(attack, field, pace);
      felt.push(one);
      log(hostileTables([one]));
    }
  } finally {
    await field.close();
  }
  const failures = failuresOf(felt);
  const tables = hostileTables(felt);
  const isWhole = Object.values({ ...values, only: only || undefined }).every((value) => value === undefined);
  if (isWhole)
    await keep(tables, { failures, engine: field.engine, minutes: (Date.now() - started) / 60_000 });
  console.log([tables, ...failures.map((failure) => `FAILED: ${failure}.`)].join('\n'));
  return failures.length === 0;
}

async function keep(
  tables: string,
  { failures, engine, minutes }: { failures: readonly string[]; engine: string; minutes: number },
): Promise<void> {
  const text = `# Attacks

Made by \`make bench-hostile\` on ${today()} in ${minutes.toFixed(1)} minutes.

${machineFacts(engine)}
- The attacker, the bystander, nginx, the API processes and the stores share these cores. The process of the attacker has
  a lower priority (nice 10).
- A cell has the 50th and the 95th percentile of all rounds in milliseconds. The ratio is the median of the rounds' ratios of the
  95th percentile. It may be 2.
- In a control the clients of the attacker send cheap requests, as many in a second as in the attack before it. The ratio is to the
  control. An attack without a control is compared with the quiet phases.
- "Ended" is how often an API process ended by itself. "/healthz" was asked of each process every 0.1 s under attack.
- An attack has ${fullHostilePace.rounds} rounds. If a ratio is above 2 after these, ${fullHostilePace.moreRounds} rounds follow. Then the ratios are those of all its rounds.

${failures.length === 0 ? 'All was as it should be.' : failures.map((failure) => `- FAILED: ${failure}.`).join('\n')}

${tables}
`;
  await writeFile(join(import.meta.dirname, 'hostile-results.md'), text);
}

process.exitCode = (await main()) ? 0 : 1;

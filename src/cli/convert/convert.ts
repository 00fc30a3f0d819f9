import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import { convertPeople } from '#src/migration/convert/convert-people.js';
import type { BodyOptions } from '#src/migration/convert/import-body.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import { StartError } from '#src/platform/start-error.js';
import type { Output } from '../terminal/output.js';
import { readSmallFile } from './read-small-file.js';
import { filesOfRealm } from './realm-files.js';
import { type ConvertOptions, runConversion, type Shared } from './run-conversion.js';
import { mapSaver } from './save-map.js';

/** The options of `--map` and `--explain`. */
interface MappingOptions {
  readonly map?: string | undefined;
  readonly explain?: boolean | undefined;
}

/** The text of the mapping. @throws StartError */
async function mapOf({ map }: MappingOptions): Promise<string | undefined> {
  return map === undefined ? undefined : readSmallFile(map);
}

/** Runs `muster convert auth0`. */
export async function fromAuth0(
  options: ConvertOptions & MappingOptions & { readonly users: string; readonly passwords: string },
  output: Output,
): Promise<void> {
  const { users, passwords, explain } = options;
  const map = await mapOf(options);
  const inputs = [users, passwords];
  const convert = (shared: Shared, body: BodyOptions) =>
    convertAuth0({ users, passwords, map, isDryRun: explain, ...shared }, body);
  return runConversion(options, output, { inputs, isExplained: explain === true, convert });
}

/** Runs `muster convert keycloak`. */
export async function fromKeycloak(
  options: ConvertOptions &
    MappingOptions & { readonly realm: readonly string[]; readonly realmName?: string | undefined },
  output: Output,
): Promise<void> {
  const { realmName, explain } = options;
  const map = await mapOf(options);
  const inputs = options.realm.flatMap((path) => filesOfRealm(path, realmName));
  const convert = (shared: Shared, body: BodyOptions) =>
    convertKeycloak({ realm: inputs, realmName, map, isDryRun: explain, ...shared }, body);
  return runConversion(options, output, { inputs, isExplained: explain === true, convert });
}

/** Runs `muster convert` for a system of `peopleFormats`. */
export async function fromPeople(
  options: ConvertOptions &
    MappingOptions & {
      readonly system: string;
      readonly users: readonly string[];
      readonly hashParameters?: string | undefined;
      readonly delimiter?: string | undefined;
      readonly at?: string | undefined;
      readonly saveMap?: string | undefined;
    },
  output: Output,
): Promise<void> {
  const { users, hashParameters: parameters, delimiter, at, system, saveMap } = options;
  const format = peopleFormats[system];
  if (format === undefined) throw new Error(`There is no format ${system}`);
  const hashParameters = parameters === undefined ? undefined : await readSmallFile(parameters);
  if (delimiter !== undefined && !/^[^"\r\n]$/.test(delimiter)) {
    throw new StartError('--delimiter must be one character, and no quotation mark');
  }
  const map = await mapOf(options);
  const save = saveMap === undefined ? undefined : mapSaver(saveMap, map !== undefined);
  return runConversion(options, output, {
    inputs: users,
    isExplained: options.explain === true,
    async convert(shared, body) {
      const input = { users, hashParameters, map, delimiter, at, isDryRun: options.explain, ...shared };
      const report = await convertPeople(format, input, body);
      if (report.guess !== undefined) save?.(report.guess.mapping);
      return report;
    },
  });
}

/** Runs `muster convert zitadel`. */
export async function fromZitadel(
  options: ConvertOptions & MappingOptions & { readonly export: string },
  output: Output,
): Promise<void> {
  const { export: path, explain } = options;
  const map = await mapOf(options);
  const convert = (shared: Shared, body: BodyOptions) =>
    convertZitadel({ export: path, map, isDryRun: explain, ...shared }, body);
  return runConversion(options, output, { inputs: [path], isExplained: explain === true, convert });
}

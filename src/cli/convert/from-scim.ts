import { convertPeople } from '#src/migration/convert/convert-people.js';
import { scimFormat } from '#src/migration/convert/people/scim.js';
import { createScimClient } from '#src/migration/convert/scim/scim-client.js';
import { StartError } from '#src/platform/start-error.js';
import type { Output } from '../terminal/output.js';
import { readSmallFile } from './read-small-file.js';
import { type ConvertOptions, runConversion } from './run-conversion.js';

/**
 * Runs `muster convert scim`. The token is never an argument, because every user of the machine can read the arguments of a process.
 */
export async function fromScim(
  options: ConvertOptions & {
    readonly url: string;
    readonly tokenFile?: string | undefined;
    /** False to read no groups. */
    readonly groups: boolean;
    readonly map?: string | undefined;
    readonly explain?: boolean | undefined;
  },
  output: Output,
): Promise<void> {
  const { tokenFile, groups, explain, map: mapping } = options;
  const given = tokenFile === undefined ? process.env['SCIM_TOKEN'] : await readSmallFile(tokenFile);
  const token = given?.trim() ?? '';
  if (token === '') throw new StartError('--token-file or SCIM_TOKEN must give the token of the SCIM server');
  const baseUrl = options.url.replace(/\/+$/, '');
  const map = mapping === undefined ? undefined : await readSmallFile(mapping);
  const users = [`${baseUrl}/Users`, ...(groups ? [`${baseUrl}/Groups`] : [])];
  return runConversion(options, output, {
    inputs: [],
    isExplained: explain === true,
    convert: (shared, body) => {
      const client = createScimClient({ baseUrl, token, signal: shared.signal });
      return convertPeople(scimFormat(client), { users, map, isDryRun: explain, ...shared }, body);
    },
  });
}

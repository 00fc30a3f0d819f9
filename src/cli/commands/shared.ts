import { Option } from '@commander-js/extra-typings';

/** The headings of the list of commands. */
export const groups = {
  server: 'Run a server:',
  people: 'Administer a service:',
  migration: 'Move users:',
  shell: 'Use this program:',
};

export const json = () => new Option('--json', 'print the result as one JSON document on standard output');

export const baseUrl = () =>
  new Option('--base-url <url>', 'address of the service, instead of MUSTER_BASE_URL');

export const tokenFile = () =>
  new Option('--token-file <file>', 'file with the token, instead of MUSTER_TOKEN');

/** Collects the values of an option that may be given several times. */
export function each(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export const dropHashes = () =>
  new Option(
    '--drop-hashes',
    'leave out password hashes that cannot be read, count them, and keep the people',
  );

export const withoutCredentials = () =>
  new Option(
    '--without-credentials <rule>',
    'what becomes of active people with neither a password nor a verified address',
  ).choices(['refuse', 'allow'] as const);

export const secondFactors = () =>
  new Option(
    '--second-factors <rule>',
    'what becomes of people whose second factor cannot move: they sign in without it, are errors, or set a new password by a link',
  ).choices(['drop', 'refuse', 'link'] as const);

export const organization = () => new Option('--org <id>', 'organization of the user');

export const ownerOf = () =>
  new Option(
    '--owner-of <org>',
    'organization whose owner you are: nothing else is touched, and no role of the instance is needed',
  );

export const bucket = () => new Option('--bucket <name>', 'bucket, or container of Azure Blob Storage');

export const objectPath = () => new Option('--path <path>', 'object of the bucket');

export const urlFile = () =>
  new Option(
    '--url-file <file>',
    'file with an https address that the service reads; MUSTER_IMPORT_HOSTS of the service allows its host',
  );

export const external = () =>
  new Option(
    '--external',
    'the object or address has users of another system (dataOrgs), and is no export of Muster (dataOrgsv1)',
  );

export const storage = () =>
  new Option(
    '--storage <file>',
    'JSON file with the credentials of the bucket, and where it is: of Google, Amazon S3 or Azure (/docs/guides/migrate of the service)',
  );

/** The former name of the option, for Google alone. */
export const serviceAccount = () =>
  new Option('--service-account <file>', 'the same for the key file of a service account of Google');

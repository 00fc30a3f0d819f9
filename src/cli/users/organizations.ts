import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { plainWord } from '../terminal/plain-text.js';

/** An organization to search. */
interface SeenOrganization {
  readonly id: string;
  /** The primary domain, which may stand behind a login name. '' if there is none, or the token may not read it. */
  readonly domain: string;
}

/** The most organizations that a command searches one after another. */
const mostSearched = 20;

/**
 * Returns the organizations to search: the named one, or all that the token reaches.
 * @throws StartError if the person must name one, or the named one does not exist
 */
export async function organizationsToSearch(
  client: AdminClient,
  named: string | undefined,
): Promise<SeenOrganization[]> {
  if (named !== undefined) return [await readNamed(client, named)];
  const { status, body: list } = await client.read(`/admin/v1/orgs?limit=${mostSearched}`, {
    accepted: [403],
  });
  if (status === 403) {
    throw new StartError('The token may not list organizations. Name the organization with --org.');
  }
  if (list['next'] !== undefined) {
    throw new StartError(`The token reaches more than ${mostSearched} organizations. Name one with --org.`);
  }
  return objectsIn(list, 'items').map(readOrganization);
}

async function readNamed(client: AdminClient, id: string): Promise<SeenOrganization> {
  const path = `/admin/v1/orgs/${argumentSegment(id)}`;
  const { status, body } = await client.read(path, { accepted: [403, 404] });
  // A manager of users may search them, but not read the organization.
  if (status === 403) return { id, domain: '' };
  if (status === 200) return readOrganization(body);
  throw new StartError(
    `The organization ${plainWord(id)} does not exist, was removed, or is out of reach of the token. Nobody of a removed organization can ` +
      'sign in.',
  );
}

function readOrganization(organization: JsonObject): SeenOrganization {
  const { domains } = organization;
  const [domain] = Array.isArray(domains) ? domains : [];
  return { id: textIn(organization, 'id'), domain: typeof domain === 'string' ? domain : '' };
}

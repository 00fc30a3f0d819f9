import type { Application } from '#src/clients/applications/index.js';
import { type AuthorizeParameters, longestValue } from './authorize-parameters.js';
import { ShownError } from './errors.js';

/** Finds an active application by its client_id. */
export type FindApplication = (clientId: string) => Promise<Application | undefined>;

/**
 * The application of the request.
 * @throws ShownError for a missing, repeated or unknown client_id
 */
export async function findClient(
  findApplication: FindApplication,
  parameters: AuthorizeParameters,
): Promise<Application> {
  const clientId = parameters.get('client_id');
  if (clientId === undefined) {
    throw new ShownError(
      'invalid_request',
      `The parameter client_id is missing, repeated or longer than ${longestValue('client_id')} characters`,
    );
  }
  const application = await findApplication(clientId);
  if (application === undefined) {
    const sent = { name: 'client_id', value: clientId };
    throw new ShownError('invalid_request', 'There is no application with this client_id', sent);
  }
  return application;
}

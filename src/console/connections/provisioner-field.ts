import type { Html } from '#src/http/pages/html.js';
import { select } from '../http/form.js';
import type { ConsoleVisit } from '../http/visit.js';
import { apiOf } from '../resources/organization-of.js';
import { connectionsTexts } from './texts/texts.js';

/** The most service users that the form offers. Another one stays chosen. */
const mostOffered = 100;

/** The choice of the service user that provisions the people of a connection. */
export async function provisionerField(visit: ConsoleVisit, value: string): Promise<Html> {
  const texts = connectionsTexts[visit.language];
  const { items } = await visit.api.get<{ items: readonly { id: string; name: string; userName: string }[] }>(
    apiOf(visit, '/service-users'),
    { limit: mostOffered },
  );
  return select({
    name: 'provisionedBy',
    label: texts.provisionedBy,
    choices: [
      { value: '', label: texts.noProvisioning },
      ...items.map(({ id, name, userName }) => ({ value: id, label: `${name} (${userName})` })),
    ],
    value,
    hint: texts.provisionedByHint,
  });
}

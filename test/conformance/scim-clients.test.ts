import t from 'tap';
import { openScim } from '../support/app/scim-app.js';
import { play } from './exchange.js';
import { entra } from './exchanges/entra.js';
import { furtherClients } from './exchanges/further-clients.js';
import { groups } from './exchanges/groups.js';
import { okta } from './exchanges/okta.js';
import { oneLogin } from './exchanges/onelogin.js';

/** The requests of established provisioning clients, in their order, and the answers that these clients rely on. */

const { tenant } = await openScim(t);

for (const conversation of [...okta, ...entra, ...oneLogin, ...groups, ...furtherClients]) {
  t.test(conversation.name, async (t) => {
    await play(
      t,
      await tenant({ ignorePasswordOnCreate: conversation.name.startsWith('Okta') }),
      conversation,
    );
  });
}

import t from 'tap';
import type { GivenSettings } from '#src/clients/applications/application.js';
import { requireApplicationSettings, withDefaults } from '#src/clients/applications/application-rules.js';
import { tokenExchangeType } from '#src/clients/applications/application-settings.js';
import { errorIdOf } from '../../support/thrown.js';

const redirectUris = ['https://app.example/callback'];
const checked = (given: Partial<GivenSettings> & Pick<GivenSettings, 'type'>) =>
  requireApplicationSettings(
    withDefaults({ name: 'App', ...(given.type !== 'api' && { redirectUris }), ...given }),
  );
const errorOf = (given: Parameters<typeof checked>[0]) => errorIdOf(() => checked(given));

t.test('each type starts with the authorization code flow, or with introspection alone', async (t) => {
  for (const [type, authMethod] of [
    ['web', 'client_secret_basic'],
    ['spa', 'none'],
    ['native', 'none'],
  ] as const) {
    t.match(checked({ type }), {
      authMethod,
      strictAuthMethod: false,
      responseTypes: ['code'],
      grantTypes: ['authorization_code', 'refresh_token'],
      accessTokenType: 'opaque',
      idTokenUserinfoAssertion: false,
      groupsClaim: 'names',
      orgOnly: true,
    });
  }
  t.match(checked({ type: 'api' }), {
    authMethod: 'client_secret_basic',
    redirectUris: [],
    responseTypes: [],
    grantTypes: [],
  });
});

t.test('native applications have no secret, and APIs authenticate', async (t) => {
  const allowed = {
    web: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    spa: ['none'],
    native: ['none'],
    api: ['client_secret_basic', 'private_key_jwt'],
  };
  for (const type of ['web', 'spa', 'native', 'api'] as const) {
    for (const authMethod of [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ] as const) {
      const expected = allowed[type].includes(authMethod) ? undefined : 'directory.valueInvalid';
      t.equal(await errorOf({ type, authMethod }), expected, `${type} ${authMethod}`);
    }
  }
});

t.test('implicit response types add the implicit grant', async (t) => {
  t.match(checked({ type: 'spa', responseTypes: ['id_token', 'id_token token'] }), {
    grantTypes: ['implicit'],
  });
  t.match(checked({ type: 'web', responseTypes: ['code', 'id_token'] }), {
    grantTypes: ['authorization_code', 'refresh_token', 'implicit'],
  });
});

t.test('response and grant types go together', async (t) => {
  for (const given of [
    { responseTypes: ['id_token'], grantTypes: ['authorization_code'] },
    { responseTypes: ['code'], grantTypes: ['implicit'] },
    { responseTypes: ['code'], grantTypes: ['authorization_code', 'implicit'] },
    { responseTypes: ['code', 'id_token token'], grantTypes: ['authorization_code'] },
    { responseTypes: ['id_token'], grantTypes: ['implicit', 'refresh_token'] },
    { grantTypes: [] },
  ] as const) {
    t.equal(await errorOf({ type: 'web', ...given }), 'directory.valueInvalid', JSON.stringify(given));
  }
  t.equal(await errorOf({ type: 'web', responseTypes: [] }), 'directory.valueMissing');
  t.equal(await errorOf({ type: 'web', redirectUris: [] }), 'directory.valueMissing');
});

t.test('an API has nothing that people sign in with', async (t) => {
  t.equal(await errorOf({ type: 'api', grantTypes: [tokenExchangeType] }), undefined);
  for (const given of [
    { redirectUris },
    { postLogoutRedirectUris: redirectUris },
    { responseTypes: ['code'] },
    { grantTypes: ['authorization_code'] },
  ] as const) {
    t.equal(await errorOf({ type: 'api', ...given }), 'directory.valueInvalid', JSON.stringify(given));
  }
});

t.test('names and projects are well-formed', async (t) => {
  t.equal(checked({ type: 'web', name: ' App ' }).name, 'App');
  t.equal(await errorOf({ type: 'web', name: ' ' }), 'directory.valueMissing');
  t.equal(checked({ type: 'web', projectId: 'p-1.x~y_z' }).projectId, 'p-1.x~y_z');
  for (const projectId of ['', 'a b', 'https://muster.example', 'x'.repeat(201), 'a\n']) {
    t.equal(await errorOf({ type: 'web', projectId }), 'directory.valueInvalid', projectId.slice(0, 30));
  }
});

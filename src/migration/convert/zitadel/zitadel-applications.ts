import { present } from '../people/person.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import {
  apiAuthMethods,
  applicationTypes,
  authMethods,
  grantTypes,
  responseTypes,
  tokenTypes,
  wordOf,
} from './constants.js';

type Converted = Record<string, unknown>;

/** `oidcApps`: an `appId` and the request that would add the application. The export has neither secrets nor client identifiers. */
export function oidcApplication(source: SourceRecord): Converted {
  const word = wordsOf(source);
  const type = word('appType', applicationTypes) ?? 'web';
  return {
    projectId: source.text('app', 'projectId'),
    appId: source.text('appId'),
    app: present({
      name: source.text('app', 'name'),
      type,
      // A browser or a device keeps no secret, so Muster has no method for it.
      authMethod: type === 'web' ? word('authMethodType', authMethods) : publicMethod(source),
      redirectUris: source.list('app', 'redirectUris'),
      postLogoutRedirectUris: source.list('app', 'postLogoutRedirectUris'),
      responseTypes: words(source, 'responseTypes', responseTypes),
      grantTypes: words(source, 'grantTypes', grantTypes),
      accessTokenType: word('accessTokenType', tokenTypes),
      idTokenUserinfoAssertion: source.flag('app', 'idTokenUserinfoAssertion'),
    }),
  };
}

/** `apiApps` */
export function apiApplication(source: SourceRecord): Converted {
  return {
    projectId: source.text('app', 'projectId'),
    appId: source.text('appId'),
    app: present({
      name: source.text('app', 'name'),
      authMethod: wordsOf(source)('authMethodType', apiAuthMethods),
    }),
  };
}

function publicMethod(source: SourceRecord): 'none' {
  const given = source.take('app', 'authMethodType');
  if (given !== undefined && wordOf(authMethods, given) !== 'none') source.loseAlso('app.authMethodType');
  return 'none';
}

/** Returns the function that reads a constant of an application. It throws a ConversionError for a constant without a word. */
function wordsOf(source: SourceRecord) {
  return (name: string, constants: Parameters<typeof wordOf>[0]): string | undefined => {
    const given = source.take('app', name);
    if (given === undefined || given === null) return undefined;
    const word = wordOf(constants, given);
    if (word === undefined)
      throw new ConversionError('other', { detail: `app.${name} is no constant of ZITADEL's sources` });
    return word;
  };
}

/** The known words of a list of constants. The others are lost. */
function words(source: SourceRecord, name: string, constants: Parameters<typeof wordOf>[0]) {
  const given = source.list('app', name);
  const known = given.flatMap((one) => wordOf(constants, one) ?? []);
  if (known.length < given.length) source.loseAlso(`app.${name}[]`);
  return known;
}

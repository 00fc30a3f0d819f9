import t from 'tap';
import { statusOfKind } from '#src/platform/error-status.js';
import { AppError, defineErrors, errorCatalogue } from '#src/platform/errors.js';
import { scimErrors } from '#src/scim/protocol/errors.js';
import { requireAccept, requireContentType } from '#src/scim/protocol/media-type.js';
import { scimErrorBody } from '#src/scim/protocol/render-error.js';
import { outcome } from './support/outcome.js';

t.test('the body of an error', async (t) => {
  t.strictSame(scimErrorBody(new AppError(scimErrors.wrongType, { detail: 'title must be a string' }), 400), {
    schemas: [
      'urn:ietf:params:scim:api:messages:2.0:Error',
      'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail',
    ],
    scimType: 'invalidSyntax',
    detail: 'title must be a string',
    status: '400',
    'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail': {
      id: 'scim.wrongType',
      message: 'A value has the wrong JSON type',
    },
  });
});

t.test('status and scimType follow the kind', async (t) => {
  const errors = defineErrors('protocolTest', {
    invalid: { kind: 'invalid', message: 'm' },
    conflict: { kind: 'conflict', message: 'm' },
    unauthenticated: { kind: 'unauthenticated', message: 'm' },
    forbidden: { kind: 'forbidden', message: 'm' },
    notFound: { kind: 'notFound', message: 'm' },
    methodNotAllowed: { kind: 'methodNotAllowed', message: 'm' },
    tooLarge: { kind: 'tooLarge', message: 'm' },
    rateLimited: { kind: 'rateLimited', message: 'm' },
    unavailable: { kind: 'unavailable', message: 'm' },
    internal: { kind: 'internal', message: 'm' },
  });
  const rendered = Object.values(errors).map((definition) => {
    const status = statusOfKind(definition.kind);
    const { scimType } = scimErrorBody(new AppError(definition), status);
    return `${definition.kind} ${status} ${scimType ?? '-'}`;
  });
  t.strictSame(rendered, [
    'invalid 400 invalidValue',
    'conflict 409 -',
    'unauthenticated 401 -',
    'forbidden 403 -',
    'notFound 404 -',
    'methodNotAllowed 405 -',
    'tooLarge 413 -',
    'rateLimited 429 -',
    'unavailable 503 -',
    'internal 500 -',
  ]);
});

t.test('every invalid SCIM request says why', async (t) => {
  const own = errorCatalogue.filter(({ id }) => id.startsWith('scim.'));
  t.ok(own.length > 20);
  for (const { id, kind, scimType } of own) {
    if (Object.values(scimErrors).some((error) => error.id === id)) {
      t.equal(kind === 'invalid', scimType !== undefined, id);
    }
  }
});

const contentTypes: [header: string | undefined, accepted: boolean][] = [
  [undefined, true],
  ['', true],
  ['application/scim+json', true],
  ['Application/SCIM+JSON; Charset="UTF-8"', true],
  ['application/json;charset=utf-8', true],
  ['application/*', true],
  ['*/*', true],
  ['application/json; charset=iso-8859-1', false],
  ['application/scim+json; charset=', false],
  ['text/plain', false],
  ['application/xml', false],
  ['application/jsonp', false],
  ['multipart/form-data', false],
  ['json', false],
];

const accepts: [header: string | undefined, accepted: boolean][] = [
  ...contentTypes,
  ['text/html, application/json;q=0.9, */*;q=0.8', true],
  ['application/xml, application/scim+json', true],
  ['text/html,application/xhtml+xml', false],
  ['application/scim+json;q=0', false],
  ['application/scim+json;q=0, application/json;q=0.1', true],
];

t.test('media types', async (t) => {
  for (const [header, accepted] of contentTypes) {
    t.equal(
      outcome(() => requireContentType(header)),
      accepted ? undefined : 'invalidValue',
      `Content-Type: ${header}`,
    );
  }
  for (const [header, accepted] of accepts) {
    t.equal(
      outcome(() => requireAccept(header)),
      accepted ? undefined : 'invalidValue',
      `Accept: ${header}`,
    );
  }
});

import { defineErrors } from '#src/platform/errors.js';

export const httpErrors = defineErrors('http', {
  notFound: { kind: 'notFound', message: 'There is nothing at this address' },
  methodNotAllowed: { kind: 'methodNotAllowed', message: 'The method is not allowed at this address' },
  urlMalformed: { kind: 'invalid', message: 'The address is not well-formed' },
  bodyMalformed: {
    kind: 'invalid',
    message: 'The body is not valid for this endpoint',
    scimType: 'invalidSyntax',
  },
  mediaTypeUnsupported: {
    kind: 'invalid',
    message: 'The media type is not supported',
    scimType: 'invalidValue',
  },
  notJson: { kind: 'unsupportedMedia', message: 'This endpoint takes application/json' },
  bodyTooLarge: { kind: 'tooLarge', message: 'The body is too large' },
  rateLimited: { kind: 'rateLimited', message: 'Too many requests' },
  storeUnavailable: {
    kind: 'unavailable',
    message: 'The service cannot reach one of its stores; try again shortly',
  },
  overloaded: { kind: 'unavailable', message: 'The service has more work than it can do; try again shortly' },
  internal: { kind: 'internal', message: 'An unexpected error occurred' },
});

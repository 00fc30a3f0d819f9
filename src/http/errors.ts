import { defineErrors } from '#src/platform/errors.js';

export const httpErrors = defineErrors('http', {
  notFound: { kind: 'notFound', message: 'There is nothing at this address' },
  methodNotAllowed: { kind: 'methodNotAllowed', message: 'The method is not allowed at this address' },
  urlTooLong: { kind: 'urlTooLong', message: 'The path of the address is too long' },
  parametersTooMany: { kind: 'invalid', message: 'The request has too many parameters' },
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
  encodingUnsupported: {
    kind: 'unsupportedMedia',
    message: 'The body must be sent as it is, or compressed with gzip',
  },
  bodyTooLarge: { kind: 'tooLarge', message: 'The body is too large' },
  bodyNotTaken: { kind: 'tooLarge', message: 'This method takes no body' },
  bodyTooSlow: {
    kind: 'unavailable',
    message: 'The service has no memory left for a body that arrives this slowly; try again shortly',
  },
  rateLimited: { kind: 'rateLimited', message: 'Too many requests' },
  storeUnavailable: {
    kind: 'unavailable',
    message: 'The service cannot reach one of its stores; try again shortly',
  },
  overloaded: { kind: 'unavailable', message: 'The service has more work than it can do; try again shortly' },
  internal: { kind: 'internal', message: 'An unexpected error occurred' },
});

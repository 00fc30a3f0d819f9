import { defineErrors } from '#src/platform/errors.js';

export const httpErrors = defineErrors('http', {
  notFound: { kind: 'notFound', message: 'There is nothing at this address' },
  methodNotAllowed: { kind: 'methodNotAllowed', message: 'The method is not allowed at this address' },
  urlTooLong: {
    kind: 'urlTooLong',
    message: 'The path of the address is too long: more than 8192 characters',
  },
  headersTooLarge: {
    kind: 'headersTooLarge',
    message: 'The address and the headers are too large: more than 32768 bytes together',
  },
  requestTooSlow: { kind: 'requestTooSlow', message: 'The request did not arrive in time' },
  requestMalformed: { kind: 'invalid', message: 'This is no well-formed request of HTTP' },
  parametersTooMany: { kind: 'invalid', message: 'The request has too many parameters: more than 100' },
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
    message:
      'The memory for request bodies is full, and this body has been arriving for longest. Send it again shortly, and faster',
  },
  rateLimited: { kind: 'rateLimited', message: 'Too many requests' },
  storeUnavailable: {
    kind: 'unavailable',
    message:
      'A store of the service cannot be reached, or did not do the work. The detail says which, and what helps',
  },
  overloaded: {
    kind: 'unavailable',
    message:
      'This process has more work than it can do, and refuses requests for much work; try again shortly',
  },
  internal: { kind: 'internal', message: 'An unexpected error occurred' },
});

import Type, { type Static } from 'typebox';
import { identifier, text } from './values.js';

/** `orgs[].userMetadata[]`. */
export const userMetadataRecord = Type.Object({
  userId: identifier,
  key: text,
  /** Any bytes, in base64 (RFC 4648 section 4). */
  value: Type.String({ maxLength: 100_000 }),
});

export type UserMetadataRecord = Static<typeof userMetadataRecord>;

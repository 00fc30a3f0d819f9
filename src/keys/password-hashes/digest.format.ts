import { createHash, createHmac } from 'node:crypto';
import { fromBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';

/** The bytes of a digest. */
const digestBytes = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };
type Digest = keyof typeof digestBytes;

const digests = Object.keys(digestBytes).join('|');
const plain = new RegExp(
  `^\\$(${digests})\\$(?:pf=([A-Za-z0-9+/]+=*)\\$([A-Za-z0-9+/]*=*)\\$)?([A-Za-z0-9+/]+=*)$`,
);
const keyed = new RegExp(
  `^\\$hmac-(${digests})\\$(?:pf=([A-Za-z0-9+/]+=*)\\$([A-Za-z0-9+/]*=*)\\$)?([A-Za-z0-9+/]+=*)\\$([A-Za-z0-9+/]+=*)$`,
);

const defaultTemplate = '{PASSWORD}';
const mostTemplateCharacters = 256;

/**
 * One round of a digest, as Ory Kratos writes it: `$sha256$pf=TEMPLATE$SALT$DIGEST`, or `$sha256$DIGEST` without a salt. The template
 * says where the salt stands, such as `{SALT}{PASSWORD}`. Its other text is a pepper. All parts are in base64; the digest may be
 * hexadecimal.
 */
export const digest: HashFormat = (text) => {
  const found = plain.exec(text);
  if (found === null) return undefined;
  const [, name = '', template, salt, tag = ''] = found;
  return readDigest({ name: name as Digest, template, salt, tag, key: undefined });
};

/** HMAC (RFC 2104): `$hmac-sha256$TAG$KEY`, or `$hmac-sha256$pf=TEMPLATE$SALT$TAG$KEY`. */
export const hmac: HashFormat = (text) => {
  const found = keyed.exec(text);
  if (found === null) return undefined;
  const [, name = '', template, salt, tag = '', key = ''] = found;
  return readDigest({ name: name as Digest, template, salt, tag, key });
};

/** Django's `md5$SALT$DIGEST` and `sha1$SALT$DIGEST`, with the salt as plain text. */
export const djangoDigest: HashFormat = (text) => {
  const found = /^(md5|sha1)\$([^$]{0,256})\$([0-9a-f]{32,40})$/.exec(text);
  if (found === null) return undefined;
  const [, name = '', salt = '', tag = ''] = found;
  const template = toBase64('{SALT}{PASSWORD}');
  return readDigest({ name: name as Digest, template, salt: toBase64(salt), tag, key: undefined });
};

/** LDAP (RFC 2307 and OpenLDAP): `{SSHA}`, `{SSHA256}`, `{SMD5}` and so on, with base64 of the digest and the salt; `{SHA}` without. */
export const ldapDigest: HashFormat = (text) => {
  const found = /^\{(S?)(MD5|SHA|SHA224|SHA256|SHA384|SHA512)\}([A-Za-z0-9+/]+=*)$/i.exec(text);
  const bytes = fromBase64(found?.[3] ?? '');
  if (found === null || bytes === undefined) return undefined;
  const [, salted, family = ''] = found;
  const name = family.toLowerCase().replace(/^sha$/, 'sha1') as Digest;
  const length = digestBytes[name];
  const isComplete = salted === '' ? bytes.length === length : bytes.length > length;
  if (!isComplete) return undefined;
  const tag = toBase64(bytes.subarray(0, length));
  if (salted === '') return readDigest({ name, template: undefined, salt: undefined, tag, key: undefined });
  const salt = toBase64(bytes.subarray(length));
  return readDigest({ name, template: toBase64('{PASSWORD}{SALT}'), salt, tag, key: undefined });
};

interface Parts {
  readonly name: Digest;
  readonly template: string | undefined;
  readonly salt: string | undefined;
  readonly tag: string;
  readonly key: string | undefined;
}

function readDigest({ name, template, salt, tag, key }: Parts): HashReading {
  const expected = tagOf(tag, digestBytes[name]);
  const form = template === undefined ? defaultTemplate : fromBase64(template)?.toString();
  const saltBytes = fromBase64(salt ?? '');
  const keyBytes = key === undefined ? undefined : fromBase64(key);
  if (expected === undefined || form === undefined || saltBytes === undefined) return undefined;
  if (key !== undefined && !keyBytes?.length) return undefined;
  // Two passwords in one template would be two values for one password. None would be the same hash for every password.
  if (form.length > mostTemplateCharacters || form.split('{PASSWORD}').length !== 2) return undefined;
  const parts = form.split(/(\{PASSWORD\}|\{SALT\})/);
  const own = template === undefined ? '' : `pf=${toBase64(form)}$${toBase64(saltBytes)}$`;
  const end = keyBytes === undefined ? '' : `$${toBase64(keyBytes)}`;
  return {
    text: `$${keyBytes === undefined ? '' : 'hmac-'}${name}$${own}${toBase64(expected)}${end}`,
    milliseconds: 1,
    matches(password) {
      const state = keyBytes === undefined ? createHash(name) : createHmac(name, keyBytes);
      for (const part of parts) {
        state.update(part === '{PASSWORD}' ? password : part === '{SALT}' ? saltBytes : part);
      }
      return isSame(state.digest(), expected);
    },
  };
}

/** Reads a digest of this length: hexadecimal, base64, or base64 of hexadecimal, which Ory Kratos writes for HMAC. */
function tagOf(text: string, length: number): Buffer | undefined {
  const isHex = (given: string) => given.length === 2 * length && /^[0-9a-f]+$/i.test(given);
  if (isHex(text)) return Buffer.from(text, 'hex');
  const bytes = fromBase64(text);
  const inner = bytes?.toString('latin1') ?? '';
  if (isHex(inner)) return Buffer.from(inner, 'hex');
  return bytes?.length === length ? bytes : undefined;
}

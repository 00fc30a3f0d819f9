import { createHash, createHmac } from 'node:crypto';
import { fromBase64, fromHexOrBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { md4 } from './primitives/md4.js';

/** The bytes of a digest. */
const digestBytes = {
  ...{ md4: 16, md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 },
  ...{ 'sha3-224': 28, 'sha3-256': 32, 'sha3-384': 48, 'sha3-512': 64 },
};
type Digest = keyof typeof digestBytes;

const digests = Object.keys(digestBytes).join('|');
const templated = '(?:pf=([A-Za-z0-9+/]+=*)\\$([A-Za-z0-9+/]*=*)\\$)?';
const plain = new RegExp(`^\\$(${digests})\\$${templated}([A-Za-z0-9+/]+=*)$`);
const keyed = new RegExp(
  `^\\$hmac-(${digests})\\$${templated}([A-Za-z0-9+/]+=*)\\$([A-Za-z0-9+/]+=*|\\{PEPPER\\})$`,
);

const mostTemplateCharacters = 256;
/** Stands in a template, or as the key of an HMAC, for the pepper of the organization. */
const pepperWord = '{PEPPER}';

/**
 * One round of a digest, as Ory Kratos writes it: `$sha256$pf=TEMPLATE$SALT$DIGEST`, or `$sha256$DIGEST` without a salt. The template
 * says where the salt stands, such as `{SALT}{PASSWORD}`. `{PEPPER}` in it is the pepper of the organization, and its other text is
 * hashed too. All parts are in base64; the digest may be hexadecimal.
 */
export const digest: HashFormat = (text) => {
  const found = plain.exec(text);
  if (found === null) return undefined;
  const [, name = '', template, salt, tag = ''] = found;
  return readEncoded({ name, template, salt, tag, key: undefined });
};

/** HMAC (RFC 2104): `$hmac-sha256$TAG$KEY`, or `$hmac-sha256$pf=TEMPLATE$SALT$TAG$KEY`. With the key `{PEPPER}` it is the pepper. */
export const hmac: HashFormat = (text) => {
  const found = keyed.exec(text);
  if (found === null) return undefined;
  const [, name = '', template, salt, tag = '', key = ''] = found;
  return readEncoded({ name, template, salt, tag, key });
};

/** Django's `md5$SALT$DIGEST` and `sha1$SALT$DIGEST`, with the salt as plain text. Werkzeug's look the same: see {@link mayBeKeyed}. */
export const djangoDigest: HashFormat = (text) => {
  const found = /^(md5|sha1)\$([^$]{0,256})\$([0-9a-f]{32,40})$/.exec(text);
  if (found === null) return undefined;
  const [, name = '', salt = '', tag = ''] = found;
  return readDigest({
    name,
    template: '{SALT}{PASSWORD}',
    salt: Buffer.from(salt),
    tag: Buffer.from(tag, 'hex'),
  });
};

/**
 * Whether a digest of the salt and the password may be an HMAC with the salt as the key. Werkzeug before version 2.3 writes HMACs of MD5
 * and SHA-1 as Django writes digests. The text does not say which, so both are compared.
 */
function mayBeKeyed(name: Digest, template: string, salt: Buffer): boolean {
  return (name === 'md5' || name === 'sha1') && template === '{SALT}{PASSWORD}' && salt.length > 0;
}

/** Werkzeug's `sha256$SALT$DIGEST` before version 2.3: an HMAC with the salt as the key, in hexadecimal. Django has no such digests. */
export const werkzeugDigest: HashFormat = (text) => {
  const found = /^(sha224|sha256|sha384|sha512)\$([^$]{1,256})\$([0-9a-f]{56,128})$/.exec(text);
  if (found === null) return undefined;
  const [, name = '', salt = '', tag = ''] = found;
  return readDigest({ name, tag: Buffer.from(tag, 'hex'), key: Buffer.from(salt) });
};

/** Salted MD5 of ZITADEL's library passwap: `$md5salted-suffix$SALT$DIGEST`, also `-prefix`. The salt is hashed as it is written. */
export const passwapDigest: HashFormat = (text) => {
  const found = /^\$md5salted-(suffix|prefix)\$([^$\s]{1,256})\$([A-Za-z0-9+/]{22}(?:==)?)$/.exec(text);
  if (found === null) return undefined;
  const [, place, salt = '', tag = ''] = found;
  const template = place === 'suffix' ? '{PASSWORD}{SALT}' : '{SALT}{PASSWORD}';
  return readDigest({ name: 'md5', template, salt: Buffer.from(salt), tag: fromBase64(tag) });
};

/**
 * LDAP (RFC 2307 and OpenLDAP): `{SSHA}`, `{SSHA256}`, `{SMD5}` and so on, with base64 of the digest and the salt; `{SHA}` without.
 * Dovecot has more names for them, and writes some in hexadecimal.
 */
export const ldapDigest: HashFormat = (text) => {
  const found =
    /^\{(S?)(?:(?:PLAIN-|LDAP-)?(MD[45])|SHA-?(1|224|256|384|512)?|(NTLM))(?:\.(?:HEX|B64|BASE64))?\}([A-Za-z0-9+/]+=*)$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [, salted, md, sha = '1', nt, value = ''] = found;
  const name = nt === undefined ? (md?.toLowerCase() ?? `sha${sha}`) : 'md4';
  const length = digestBytes[name as Digest];
  const isSalted = salted !== '';
  const bytes = fromHexOrBase64(value, { least: length + (isSalted ? 1 : 0), most: isSalted ? 512 : length });
  if (bytes === undefined) return undefined;
  if (nt !== undefined) return readNt(bytes);
  const tag = bytes.subarray(0, length);
  if (!isSalted) return readDigest({ name, tag });
  return readDigest({ name, template: '{PASSWORD}{SALT}', salt: bytes.subarray(length), tag });
};

/** MD4 of the password in UTF-16, as Windows and Samba keep it. */
function readNt(tag: Buffer): HashReading {
  return {
    text: `{NTLM}${tag.toString('hex')}`,
    milliseconds: 1,
    matches: (password) => isSame(md4(Buffer.from(password, 'utf16le')), tag),
  };
}

function readEncoded(parts: {
  name: string;
  template: string | undefined;
  salt: string | undefined;
  tag: string;
  key: string | undefined;
}): HashReading {
  const { name, template, salt, tag, key } = parts;
  const form = template === undefined ? undefined : fromBase64(template)?.toString();
  const isRead = template === undefined || form !== undefined;
  const keyBytes = key === undefined || key === pepperWord ? key : fromBase64(key);
  if (!isRead || (key !== undefined && !keyBytes?.length)) return undefined;
  return readDigest({
    name,
    template: form,
    salt: fromBase64(salt ?? ''),
    tag: tagOf(tag, digestBytes[name as Digest]),
    key: keyBytes as Buffer | typeof pepperWord | undefined,
  });
}

/**
 * Reads the parts of one round of a digest, or of an HMAC. All formats are stored in one form.
 * @param parts `template`: the password alone, if it is absent. A part that is undefined although the hash has it makes it unreadable
 */
export function readDigest(parts: {
  name: string;
  template?: string | undefined;
  salt?: Buffer | undefined;
  tag: Buffer | undefined;
  key?: Buffer | typeof pepperWord | undefined;
}): HashReading {
  const { template = '{PASSWORD}', tag, key } = parts;
  const name = parts.name as Digest;
  const hasSalt = parts.salt !== undefined || parts.template === undefined;
  if (!Object.hasOwn(digestBytes, name) || tag?.length !== digestBytes[name] || !hasSalt) return undefined;
  // Two passwords in one template would be two values for one password. None would be the same hash for every password.
  if (template.length > mostTemplateCharacters || template.split('{PASSWORD}').length !== 2) return undefined;
  const salt = parts.salt ?? Buffer.alloc(0);
  const pieces = template.split(/(\{PASSWORD\}|\{SALT\}|\{PEPPER\})/);
  const needsPepper = key === pepperWord || pieces.includes(pepperWord);
  const layout = parts.template === undefined ? '' : `pf=${toBase64(template)}$${toBase64(salt)}$`;
  const end = key === undefined ? '' : `$${key === pepperWord ? key : toBase64(key)}`;
  return {
    text: `$${key === undefined ? '' : 'hmac-'}${name}$${layout}${toBase64(tag)}${end}`,
    milliseconds: 1,
    ...(needsPepper && { needsPepper: true }),
    matches(password, pepper = '') {
      const words: Readonly<Record<string, string | Buffer>> = {
        '{PASSWORD}': password,
        '{SALT}': salt,
        [pepperWord]: pepper,
      };
      const text = Buffer.concat(pieces.map((piece) => Buffer.from(words[piece] ?? piece)));
      const made = [digestOf(name, text, key === pepperWord ? pepper : key)];
      if (key === undefined && mayBeKeyed(name, template, salt))
        made.push(digestOf(name, Buffer.from(password), salt));
      return made.map((one) => isSame(one, tag)).includes(true);
    },
  };
}

function digestOf(name: Digest, text: Buffer, key: Buffer | string | undefined): Buffer {
  // OpenSSL 3 has MD4 only with its legacy provider.
  if (name === 'md4') return md4(text);
  return (key === undefined ? createHash(name) : createHmac(name, key)).update(text).digest();
}

/** Reads a digest of this length: hexadecimal, base64, or base64 of hexadecimal, which Ory Kratos writes for HMAC. */
function tagOf(text: string, length: number): Buffer | undefined {
  const bytes = fromHexOrBase64(text, { least: length, most: length });
  if (bytes !== undefined) return bytes;
  const inner = fromBase64(text)?.toString('latin1') ?? '';
  return inner.length === 2 * length && /^[0-9a-f]+$/i.test(inner) ? Buffer.from(inner, 'hex') : undefined;
}

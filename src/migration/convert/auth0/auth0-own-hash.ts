import { asFields, type Fields, textOf } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';

const member = 'custom_password_hash';
const plainHashes = ['password_hash', 'passwordHash'];
/** Hashes of one round that both systems have. */
const digests = ['md4', 'md5', 'sha1', 'sha256', 'sha512'];
const digestsOfHmac = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

/**
 * Takes the hash that a user of a file for Auth0's bulk import has itself, in a form of docs/password-hashes.md. Undefined if there is none, or
 * if it cannot be taken over: it is then lost, with a note. Source: auth0.com/docs, "Bulk User Import Database Schema and Examples".
 */
export function takeOwnHash(source: SourceRecord, notes: string[]): string | undefined {
  const plain = plainHashes.find((name) => typeof source.look(name) === 'string' && source.look(name) !== '');
  if (plain !== undefined) return String(source.take(plain)).trim();
  const given = asFields(source.look(member));
  if (given === undefined) return undefined;
  const written = write(given);
  if (written !== undefined) {
    source.take(member);
    return written;
  }
  const algorithm = JSON.stringify((textOf(given, ['algorithm']) ?? 'unknown').slice(0, 100));
  notes.push(
    `the password hash of ${algorithm} cannot be taken over; the user sets a password at the first login`,
  );
  return undefined;
}

function write(given: Fields): string | undefined {
  const algorithm = textOf(given, ['algorithm'])?.toLowerCase() ?? '';
  const [hash, salt] = [asFields(given['hash']) ?? {}, asFields(given['salt'])];
  const password = asFields(given['password'])?.['encoding'];
  const value = textOf(hash, ['value']);
  if (value === undefined) return undefined;
  // Windows keeps MD4 of the password in UTF-16.
  if (algorithm === 'md4' && ['utf16le', 'ucs2'].includes(String(password).toLowerCase()))
    return salt === undefined ? `{NTLM}${value}` : undefined;
  // Passwords of other encodings would have other bytes here.
  if (password !== undefined && !['utf8', 'utf-8', 'ascii'].includes(String(password).toLowerCase()))
    return undefined;
  if (['bcrypt', 'argon2', 'pbkdf2', 'ldap'].includes(algorithm)) return value;
  const tag = bytesOf(value, hash['encoding'] ?? encodingOf(value));
  const saltBytes = salt === undefined ? undefined : bytesOf(salt['value'], salt['encoding'] ?? 'utf8');
  if (tag === undefined || (salt !== undefined && saltBytes === undefined)) return undefined;
  const isLast = salt?.['position'] === 'suffix';
  const start = saltBytes === undefined ? '' : `pf=${template(isLast)}$${base64(saltBytes)}$`;
  if (digests.includes(algorithm)) return `$${algorithm}$${start}${base64(tag)}`;
  if (algorithm === 'hmac') {
    const digest = textOf(hash, ['digest'])?.toLowerCase() ?? '';
    const key = asFields(hash['key']);
    const keyBytes = key && bytesOf(key['value'], key['encoding'] ?? 'utf8');
    if (keyBytes === undefined || !digestsOfHmac.includes(digest)) return undefined;
    return `$hmac-${digest}$${start}${base64(tag)}$${base64(keyBytes)}`;
  }
  return algorithm === 'scrypt' && saltBytes !== undefined ? scrypt(hash, saltBytes, tag) : undefined;
}

/** The costs are those of Node.js if they are absent. */
function scrypt(hash: Fields, salt: Buffer, tag: Buffer): string | undefined {
  const number = (name: string, usual: number) => Number(hash[name] ?? usual);
  const cost = Math.log2(number('cost', 16_384));
  const [blockSize, lanes] = [number('blockSize', 8), number('parallelization', 1)];
  const isWhole = [cost, blockSize, lanes].every((one) => Number.isInteger(one) && one > 0);
  if (!isWhole || number('keylen', tag.length) !== tag.length) return undefined;
  return `$scrypt$ln=${cost},r=${blockSize},p=${lanes}$${base64(salt)}$${base64(tag)}`;
}

/** Says where the salt stands, as the form of one round of a digest has it. */
function template(isLast: boolean): string {
  return base64(Buffer.from(isLast ? '{PASSWORD}{SALT}' : '{SALT}{PASSWORD}'));
}

function encodingOf(text: string): 'hex' | 'base64' {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
}

/** The bytes of a text in an encoding. Node.js reads base64 with both alphabets. Undefined if the text is not of the encoding. */
function bytesOf(text: unknown, encoding: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  if (encoding === 'utf8') return Buffer.from(text);
  const form = { hex: /^(?:[0-9a-f]{2})*$/i, base64: /^[A-Za-z0-9+/_-]*=*$/ }[String(encoding)];
  return form?.test(text) ? Buffer.from(text, encoding as 'hex' | 'base64') : undefined;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

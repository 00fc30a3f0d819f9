import { foldCase } from '#src/directory/index.js';
import { memberKey } from '../reading/member-key.js';

/** The key of an entry by its distinguished name (RFC 4514). Letter case, spaces and the form of escapes make no other key. */
export function dnKey(dn: string): string {
  // uniqueMember may end with the identifier of the member (RFC 4517 section 3.3.21).
  return memberKey('dn', foldCase(normalized(dn.replace(/#'[01]*'B$/, ''))));
}

/** The key of a person by a login name, which posixGroup names its members by. */
export function uidKey(uid: string): string {
  return memberKey('uid', foldCase(uid.trim()));
}

/** What stands between two parts of a name, and between two values of one part, after the escapes were read. */
const [partEnd, valueEnd] = ['\u0000', '\u0001'];

const special = ['\\', '+', ';', partEnd, valueEnd];

const token = /((?:\\[0-9a-f]{2})+)|\\(.)|([,;])|(\+)|([^\\,;+]+)/gisu;

function normalized(dn: string): string {
  if (!special.some((one) => dn.includes(one))) return dn.split(',').map(normalizedValue).join(partEnd);
  let text = '';
  for (const [, hex, escaped, separator, plus, plain] of dn.matchAll(token)) {
    if (separator !== undefined) text += partEnd;
    else if (plus !== undefined) text += valueEnd;
    else text += withoutEnds(hex === undefined ? (escaped ?? plain ?? '') : fromHex(hex));
  }
  const parts = text.split(partEnd);
  return parts.map((part) => part.split(valueEnd).map(normalizedValue).sort().join(valueEnd)).join(partEnd);
}

/** No name may hold what this file puts between the parts: it would be the name of another entry. */
function withoutEnds(text: string): string {
  return text.replaceAll(partEnd, '\uFFFD').replaceAll(valueEnd, '\uFFFD');
}

function fromHex(escapes: string): string {
  return Buffer.from(escapes.replaceAll('\\', ''), 'hex').toString();
}

function normalizedValue(value: string): string {
  const equals = value.indexOf('=');
  const [name, text] = [value.slice(0, Math.max(equals, 0)), value.slice(equals + 1)];
  return `${name.trim().toLowerCase()}=${text.trim().replaceAll(/ +/g, ' ')}`;
}

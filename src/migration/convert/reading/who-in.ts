import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/**
 * Members by which people know a person or a group, without case and without what separates words. The first of each kind counts. None holds a
 * secret.
 */
const kinds: readonly (readonly string[])[] = [
  ['username', 'userprincipalname', 'login', 'loginname', 'uid', 'email', 'emailaddress', 'mail'],
  ['displayname', 'fullname', 'formattedname', 'name', 'cn', 'givenname', 'firstname', 'nickname'],
];
/** Members within which the systems have the names of a person. */
const within = ['profile', 'traits', 'user', 'attributes', 'name'];
/** A person has few members. The others are not looked at. */
const mostMembers = 500;

/**
 * The names of a record, for the person who looks for it in the file: a login name or an address, and a name. '' if it has none. They are as
 * the record has them, and of any length.
 */
export function whoIn(record: JsonObject): string {
  const inner = within.flatMap((name) => (isJsonObject(record[name]) ? [record[name]] : []));
  const innermost = inner.flatMap(({ profile }) => (isJsonObject(profile) ? [profile] : []));
  const members = [record, ...inner, ...innermost].flatMap(plainMembers);
  return kinds
    .flatMap((names) => firstOf(names, members) ?? [])
    .filter((text, at, all) => all.indexOf(text) === at)
    .join(' ');
}

type Member = readonly [name: string, text: string];

/** The members of an object that are one text. LDAP has a list of one text instead. */
function plainMembers(object: JsonObject): Member[] {
  return Object.keys(object)
    .slice(0, mostMembers)
    .flatMap((name): Member[] => {
      const value = object[name];
      const text: unknown = Array.isArray(value) ? value[0] : value;
      return typeof text === 'string' && text.trim() !== ''
        ? [[name.toLowerCase().replace(/[^a-z]/g, ''), text.trim()]]
        : [];
    });
}

function firstOf(names: readonly string[], members: readonly Member[]): string | undefined {
  for (const name of names) {
    const found = members.find(([member]) => member === name);
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** {@link whoIn} of the text of a record. '' for a text that is no JSON object. */
export function whoInText(text: string): string {
  try {
    const record: unknown = JSON.parse(text);
    return isJsonObject(record) ? whoIn(record) : '';
  } catch {
    return '';
  }
}

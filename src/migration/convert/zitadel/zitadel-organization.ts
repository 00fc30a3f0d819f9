import { present } from '../people/person.js';
import type { SourceRecord } from '../reading/source-record.js';

/** The properties of an organization, beside its lists, that Muster has too. */
export const organizationSettings = ['loginPolicy', 'labelPolicy', 'passwordComplexityPolicy'] as const;

/**
 * Returns the record of an organization: its name, and what its policies say that Muster has too.
 * @param source `org`, and the policies under their names
 */
export function zitadelOrganization(source: SourceRecord): Record<string, unknown> {
  const login = present({
    selfRegistration: source.flag('loginPolicy', 'allowRegister'),
    brandColor: colorOf(source),
  });
  return present({
    name: source.text('org', 'name'),
    passwordPolicy: passwordPolicy(source),
    login: Object.keys(login).length > 0 ? { selfRegistration: false, ...login } : undefined,
  });
}

function colorOf(source: SourceRecord): string | undefined {
  const color = source.text('labelPolicy', 'primaryColor');
  if (color === undefined || /^#[0-9a-f]{6}$/i.test(color)) return color;
  source.loseAlso('labelPolicy.primaryColor');
  return undefined;
}

/** An encoder of protocol buffers writes 64-bit numbers as texts, and leaves out false. */
function passwordPolicy(source: SourceRecord): Record<string, unknown> | undefined {
  const minLength = Number(source.text('passwordComplexityPolicy', 'minLength'));
  if (!Number.isInteger(minLength) || minLength < 1) {
    if (source.look('passwordComplexityPolicy', 'minLength') !== undefined) {
      source.loseAlso('passwordComplexityPolicy.minLength');
    }
    return undefined;
  }
  const has = (name: string) => source.flag('passwordComplexityPolicy', name) === true;
  return {
    minLength,
    upper: has('hasUppercase'),
    lower: has('hasLowercase'),
    digit: has('hasNumber'),
    symbol: has('hasSymbol'),
  };
}

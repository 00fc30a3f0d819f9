import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { objectsIn, textIn } from '../base/answers.js';
import { plainWord } from '../terminal/plain-text.js';

/** What settings are called in the lines of a policy. Others have the names of the API. */
const labels: Readonly<Record<string, string>> = {
  identifierFirst: 'login name alone at first',
  firstFactors: 'a sign-in begins with',
  firstFactorsFrom: 'it holds from',
  secondFactors: 'what may follow',
  rememberedBrowserDays: 'days for which a browser is remembered',
  sessionSeconds: 'longest session, in seconds',
  sessionIdleSeconds: 'longest idle time of a session, in seconds',
  refreshTokenSeconds: 'longest life of refresh tokens, in seconds',
  refreshTokenIdleSeconds: 'longest idle time of refresh tokens, in seconds',
  freshSignInSeconds: 'a sign-in is fresh for, in seconds',
};

/** Returns a line for each setting of a policy, and for each of its demands. */
export function policyLines({ version: _, ...policy }: JsonObject): string {
  const lines = Object.entries(policy).flatMap(([name, value]) =>
    name === 'demands'
      ? objectsIn(policy, 'demands').map(demandLine)
      : [`${labels[name] ?? plainWord(name)}: ${plainWord(settingText(value))}`],
  );
  return lines.length === 0 ? 'The organization has no policy of its own.' : lines.join('\n');
}

function settingText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return isJsonObject(value) ? JSON.stringify(value) : String(value);
}

const levels: Readonly<Record<string, string>> = {
  '2': 'two factors',
  phr: 'two factors, one of which resists phishing',
};

const scopes: Readonly<Record<string, string>> = {
  everybody: 'everybody',
  roles: 'people with a role',
  groups: 'members of the groups',
};

function demandLine(demand: JsonObject): string {
  const [of, acr, from] = [textIn(demand, 'of'), textIn(demand, 'acr'), textIn(demand, 'from')];
  const groups = Array.isArray(demand['groups']) ? ` ${demand['groups'].join(', ')}` : '';
  return plainWord(`demand from ${from}: ${levels[acr] ?? acr}, of ${scopes[of] ?? of}${groups}`);
}

import type { GuideProgram, GuideStep } from '#src/http/documents/guide-program.js';
import { newSecret } from '#src/platform/ids.js';
import { isLocal } from './addresses.js';

/** What the program of a guide must know of its registration. */
export interface ProgramValues {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a mark stands in its place. Null: the client has no secret. */
  readonly clientSecret?: string | null | undefined;
  readonly redirectUri?: string | undefined;
  /** The project of an API. */
  readonly audience?: string | undefined;
}

/** Stands where the developer puts the secret. */
export const secretMark = 'PASTE-THE-CLIENT-SECRET-HERE';

/** A command in the settings of a guide, in place of the value that it prints. */
const command = /\$\(node -p '[^']*?(clientId|\.id|clientSecret|randomBytes)[^']*'(?: "\$\w+")?\)/g;

/**
 * The steps of a guide with the values of one registration: first the file with its settings, then the others. The code itself stays as
 * it is, because it reads the settings.
 */
export function stepsWith(
  program: GuideProgram,
  values: ProgramValues,
  settings: GuideProgram['environment'] = program.environment,
): GuideStep[] {
  const { redirectUri: usual, steps } = program;
  const others = steps.map((step) =>
    step.kind === 'run' ? { ...step, text: withAddress(step.text, usual, values.redirectUri) } : step,
  );
  if (settings === undefined) return others;
  const { file, text } = settings;
  return [
    { kind: 'file', name: file, isAddition: false, text: settingsWith(text, usual, values) },
    ...others,
  ];
}

function settingsWith(text: string, usual: string | undefined, values: ProgramValues): string {
  const { issuer, clientId, clientSecret = secretMark, audience = '', redirectUri } = values;
  const found: Readonly<Record<string, () => string>> = {
    clientId: () => clientId,
    '.id': () => clientId,
    clientSecret: () => clientSecret ?? '',
    randomBytes: newSecret,
  };
  const lines = text.split('\n').filter((line) => clientSecret !== null || !line.includes('clientSecret'));
  return withAddress(lines.join('\n'), usual, redirectUri)
    .replace(command, (_, name: string) => found[name]?.() ?? '')
    .replaceAll('$BASE', () => issuer)
    .replaceAll('$PROJECT', () => audience);
}

/** The text with the chosen redirect URI in place of that of the guide, and with its host and port. */
function withAddress(text: string, usual: string | undefined, chosen: string | undefined): string {
  if (usual === undefined || chosen === undefined || usual === chosen) return text;
  const [before, now] = [new URL(usual), new URL(chosen)];
  const moved = text.replaceAll(usual, () => chosen).replaceAll(before.origin, () => now.origin);
  if (!isLocal(chosen) || before.port === '') return moved;
  return moved
    .replaceAll(before.host, () => now.host)
    .replace(new RegExp(`\\b${before.port}\\b`, 'g'), () => now.port);
}

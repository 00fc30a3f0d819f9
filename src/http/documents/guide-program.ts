import { readDocument } from './documents.js';

/** A step of a guide: a file to save or to extend, or commands for a terminal. */
export type GuideStep =
  | { readonly kind: 'file'; readonly name: string; readonly isAddition: boolean; readonly text: string }
  | { readonly kind: 'run'; readonly text: string };

/** The program of a guide, as its reader copies it. */
export interface GuideProgram {
  readonly steps: readonly GuideStep[];
  /** The file with what the program must know of its registration. Its values are commands of a shell. */
  readonly environment?: { readonly file: string; readonly text: string };
  /** The first redirect URI that the guide registers. */
  readonly redirectUri?: string;
  /** The address after sign-out that the guide registers. */
  readonly postLogoutRedirectUri?: string;
}

const known = new Map<string, Promise<GuideProgram>>();

/** Reads the program of a guide once. @param name the file in `docs/guides` without its extension. It is never what a caller wrote */
export function readGuideProgram(name: string): Promise<GuideProgram> {
  let program = known.get(name);
  if (program === undefined) {
    program = readDocument(`docs/guides/${name}.md`).then(programIn);
    known.set(name, program);
    program.catch(() => known.delete(name));
  }
  return program;
}

/** The program in the text of a guide. */
function programIn(markdown: string): GuideProgram {
  const environment = /^cat > (\S+) <<END\n([\s\S]*?\n)END$/m.exec(markdown);
  const redirectUri = /"redirectUris": \["([^"]+)"/.exec(markdown)?.[1];
  const postLogoutRedirectUri = /"postLogoutRedirectUris": \["([^"]+)"/.exec(markdown)?.[1];
  return {
    steps: [...stepsIn(markdown)],
    ...(environment && { environment: { file: environment[1] ?? '', text: environment[2] ?? '' } }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(postLogoutRedirectUri !== undefined && { postLogoutRedirectUri }),
  };
}

/** Each block of code with the last line of the paragraph above it, which ends with the name of a file and a colon. */
function* stepsIn(markdown: string): Generator<GuideStep> {
  for (const [, line = '', language, text = ''] of markdown.matchAll(
    /^(.*)\n\n```(\w+)\n([\s\S]*?\n)```$/gm,
  )) {
    if (language === 'console') yield { kind: 'run', text };
    const name = /`([\w./[\]-]+)`:$/.exec(line)?.[1];
    if (name === undefined || language === 'sh' || language === 'console') continue;
    yield { kind: 'file', name, isAddition: /\bAdd this at the end of\b/.test(line), text };
  }
}

import type { GuideProgram } from '#src/http/documents/guide-program.js';
import type { ShownApplication } from '../resources/application.js';
import type { Framework } from './frameworks.js';

/** The addresses with which a program is shown. */
export interface ProgramAddresses {
  readonly redirectUri: string;
  readonly postLogoutRedirectUri?: string;
}

/** Addresses that need no escape in a file of settings, a script or a shell. */
const plainAddress = /^https?:\/\/[\w.:-]+\/[\w./~-]*$/;
const localNames = ['localhost', '127.0.0.1'];

/** Paths that the programs of the guides have for themselves. */
const ownPaths = ['/', '/login', '/logout'];

/**
 * The addresses with which the program runs: the first redirect URI of the application that the framework can serve, one of the
 * developer's own machine before others. Without one, those of the guide. Undefined if the program has no redirect URI.
 */
export function addressesFor(
  framework: Framework,
  program: GuideProgram,
  redirectUris: readonly string[],
): ProgramAddresses | undefined {
  const { redirectUri: usual, postLogoutRedirectUri: usualEnd } = program;
  if (usual === undefined) return undefined;
  const possible = redirectUris.filter((uri) => serves(framework, usual, uri));
  const redirectUri = possible.find(isLocal) ?? possible[0] ?? usual;
  if (usualEnd === undefined) return { redirectUri };
  return {
    redirectUri,
    postLogoutRedirectUri: usualEnd.replace(new URL(usual).origin, () => new URL(redirectUri).origin),
  };
}

/** What of the addresses the application lacks. */
export function missingAddresses(
  { redirectUris, postLogoutRedirectUris }: ShownApplication,
  { redirectUri, postLogoutRedirectUri }: ProgramAddresses,
): { redirectUri?: string; postLogoutRedirectUri?: string } {
  return {
    ...(!redirectUris.includes(redirectUri) && { redirectUri }),
    ...(postLogoutRedirectUri !== undefined &&
      !postLogoutRedirectUris.includes(postLogoutRedirectUri) && { postLogoutRedirectUri }),
  };
}

function serves({ kind, takesAnyPath = false }: Framework, usual: string, uri: string): boolean {
  if (!plainAddress.test(uri) || !URL.canParse(uri)) return false;
  const { pathname, port, protocol } = new URL(uri);
  if (kind === 'native') return isLocal(uri) && protocol === 'http:';
  // A program for the developer's machine listens at no port below 1024.
  if (isLocal(uri) && port === '') return false;
  if (!takesAnyPath) return pathname === new URL(usual).pathname;
  return kind === 'spa' || !ownPaths.includes(pathname);
}

/** Whether the address is one of the developer's own machine. */
export function isLocal(uri: string): boolean {
  return localNames.includes(new URL(uri).hostname);
}

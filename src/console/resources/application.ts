import { type ApplicationSettings, usesSecret } from '#src/clients/applications/index.js';

/** An application as the admin API shows it. */
export interface ShownApplication extends ApplicationSettings {
  readonly id: string;
  readonly clientId: string;
  readonly approved: boolean;
  readonly administers: boolean;
  /** What signs its ID tokens as long as clients may not know the keys of the chosen algorithm. */
  readonly idTokenSigning?: { readonly alg: string; readonly until?: string };
  readonly active: boolean;
  readonly version: number;
  readonly created: string;
  readonly lastModified: string;
}

/** Whether the application authenticates with a secret. */
export function takesSecret({ authMethod }: Pick<ShownApplication, 'authMethod'>): boolean {
  return usesSecret(authMethod);
}

/** An application as the admin API shows it. */
export interface ShownApplication {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly authMethod: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly responseTypes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly accessTokenType: string;
  readonly groupsClaim: string;
  readonly strictAuthMethod: boolean;
  readonly idTokenUserinfoAssertion: boolean;
  readonly orgOnly: boolean;
  readonly approved: boolean;
  readonly administers: boolean;
  readonly active: boolean;
  readonly version: number;
  readonly created: string;
  readonly lastModified: string;
}

export const applicationTypes = ['web', 'spa', 'native', 'api'] as const;

export type ApplicationType = (typeof applicationTypes)[number];

/** Whether the application authenticates with a secret. */
export function takesSecret({ authMethod }: Pick<ShownApplication, 'authMethod'>): boolean {
  return authMethod.startsWith('client_secret_');
}

/** A service user as the admin API shows it. */
export interface ShownServiceUser {
  readonly id: string;
  readonly userName: string;
  readonly name: string;
  readonly description?: string;
  readonly active: boolean;
  readonly ignorePasswords: boolean;
  readonly plainScimErrors: boolean;
  readonly version: number;
  readonly created: string;
  readonly lastModified: string;
}

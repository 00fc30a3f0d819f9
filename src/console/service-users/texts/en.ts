/** English. */
export const en = {
  about: 'Programs that call SCIM or the admin API.',
  add: 'Add a service user',
  none: 'No service user yet. Add one for each program.',
  state: 'State',
  userName: 'User name',
  userNameHint: 'With a secret, it is also a client ID.',
  nameHint: 'For people, such as the name of the program.',
  role: 'Role',
  noRole: 'No role yet',
  description: 'Description',
  activate: 'Activate',
  deactivate: 'Deactivate',
  ignorePasswords: 'Drop the passwords that it sends',
  ignorePasswordsHint: 'For clients that send random passwords, such as Okta.',
  plainScimErrors: 'Plain SCIM errors',
  plainScimErrorsHint: 'Errors have only what RFC 7644 names.',
  addresses: 'Addresses of the organization',
  addressesHint:
    'A program polls the last one for signed messages about changed users and groups (RFC 9967).',
  securityEvents: 'Security event tokens',
  removeTitle: 'Remove the service user',
  removeText: 'The program is refused from then on. Its credentials and roles are removed with it.',
};

export type ServiceUsersTexts = { readonly [Key in keyof typeof en]: string };

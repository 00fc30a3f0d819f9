/** A credential of a client of SCIM that the page shows this once. */
export type ShownCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'secret'; readonly clientId: string; readonly clientSecret: string };

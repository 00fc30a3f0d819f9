import type { TemplateKey } from '../templates.js';

/** English. What an administrator does at each provider, a step on each line. */
export const en: ProviderSteps = {
  entra:
    'In the Microsoft Entra admin center, open App registrations, New registration.\nUnder Redirect URI, choose Web, and paste the callback address. Press Register.\nUnder Overview, copy Application (client) ID and Directory (tenant) ID into this form.\nUnder Certificates & secrets, press New client secret, and copy its Value.\nUnder Token configuration, press Add optional claim, ID, and choose auth_time.',
  okta: 'In the Okta Admin Console, open Applications, Create App Integration.\nChoose OIDC - OpenID Connect and Web Application.\nPaste the callback address into Sign-in redirect URIs. Press Save.\nUnder General, copy Client ID and the secret under Client Secrets into this form.\nUnder Assignments, choose who may sign in.',
  google:
    'In the Google Cloud console, open Google Auth Platform, and choose the audience Internal.\nUnder Clients, press Create client, and choose Web application.\nPaste the callback address into Authorized redirect URIs. Press Create.\nCopy Client ID and Client secret into this form.\nPrimary domain is the domain of your Google Workspace. Without it, everybody with a Google account could come.',
  keycloak:
    'In the Keycloak admin console, choose the realm, and open Clients, Create client.\nChoose OpenID Connect, and type a Client ID. Press Next.\nSwitch on Client authentication, and leave Standard flow on. Press Next.\nPaste the callback address into Valid redirect URIs. Press Save.\nUnder Credentials, copy Client Secret into this form.',
  onelogin:
    'In the OneLogin administration, open Applications, Add App, and find OpenId Connect (OIDC).\nUnder Configuration, paste the callback address into Redirect URI’s. Press Save.\nUnder SSO, copy Client ID and Client Secret into this form.\nUnder SSO, set Application Type to Web and Token Endpoint to Basic.\nUnder Access, choose who may sign in.',
  ping: 'In the PingOne console, open Applications, and press the plus sign.\nChoose OIDC Web App. Press Save.\nUnder Configuration, paste the callback address into Redirect URIs, and copy Issuer ID, Client ID and Client Secret into this form.\nUnder Configuration, set Token Endpoint Authentication Method to Client Secret Basic.\nUnder Resources, add email and profile. Switch the application on.',
  adfs: 'In AD FS Management, open Application Groups, Add Application Group, and choose Server application accessing a web API.\nPaste the callback address into Redirect URI, press Add, and copy Client Identifier into this form.\nChoose Generate a shared secret, and copy it into this form.\nAs identifier of the Web API, use the Client Identifier.\nUnder Client Permissions, choose allatclaims, email, openid and profile.',
  jumpcloud:
    'In the JumpCloud Admin Portal, open SSO Applications, Add New Application, Custom Application.\nChoose Manage Single Sign-On (SSO) and Configure SSO with OIDC.\nPaste the callback address into Redirect URIs, and choose Client Secret Basic.\nUnder Attribute Mapping, choose the scopes Email and Profile. Press Activate.\nCopy Client ID and Client Secret into this form.',
  github:
    'In GitHub, open Settings, Developer settings, OAuth Apps, New OAuth app.\nPaste the callback address into Authorization callback URL. Press Register application.\nCopy Client ID into this form.\nPress Generate a new client secret, and copy Client secret into this form.\nEverybody can make an account at GitHub, so let the connection create users only if you want that.',
  microsoft:
    'In the Microsoft Entra admin center, open App registrations, New registration.\nUnder Supported account types, choose Personal Microsoft accounts only.\nUnder Redirect URI, choose Web, and paste the callback address. Press Register.\nUnder Overview, copy Application (client) ID into this form.\nUnder Certificates & secrets, press New client secret, and copy its Value.',
  apple:
    'At developer.apple.com, open Certificates, Identifiers & Profiles, Identifiers, and add a Services ID.\nSwitch on Sign in with Apple, and press Configure.\nPaste the callback address into Return URLs. Save.\nUnder Keys, make a key for Sign in with Apple. Sign the client secret with it: a JWT that lasts at most 6 months.\nCopy the identifier of the Services ID and this JWT into the form.',
  other:
    'Register an application of the type web at the provider.\nGive it the callback address as redirect URI.\nAllow the authorization code flow with PKCE (S256).\nCopy the issuer exactly as the discovery document has it.\nCopy client_id and client_secret into this form.',
};

/** The steps at each provider, one on each line. The pages of providers are in English, so their names stay. */
export type ProviderSteps = Readonly<Record<TemplateKey, string>>;

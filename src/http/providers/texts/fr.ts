import type { ProviderSteps } from './en.js';

/** French. */
export const fr: ProviderSteps = {
  entra:
    'Dans le Microsoft Entra admin center, ouvrez App registrations, New registration.\nSous Redirect URI, choisissez Web, et collez l’adresse de retour. Cliquez sur Register.\nSous Overview, copiez Application (client) ID et Directory (tenant) ID dans ce formulaire.\nSous Certificates & secrets, cliquez sur New client secret, et copiez sa Value.\nSous Token configuration, cliquez sur Add optional claim, ID, et choisissez auth_time.',
  okta: 'Dans l’Okta Admin Console, ouvrez Applications, Create App Integration.\nChoisissez OIDC - OpenID Connect et Web Application.\nCollez l’adresse de retour dans Sign-in redirect URIs. Cliquez sur Save.\nSous General, copiez Client ID et le secret sous Client Secrets dans ce formulaire.\nSous Assignments, choisissez qui peut se connecter.',
  google:
    'Dans la Google Cloud console, ouvrez Google Auth Platform, et choisissez l’audience Internal.\nSous Clients, cliquez sur Create client, et choisissez Web application.\nCollez l’adresse de retour dans Authorized redirect URIs. Cliquez sur Create.\nCopiez Client ID et Client secret dans ce formulaire.\nPrimary domain est le domaine de votre Google Workspace. Sans lui, quiconque a un compte Google pourrait venir.',
  keycloak:
    'Dans la Keycloak admin console, choisissez le realm, et ouvrez Clients, Create client.\nChoisissez OpenID Connect, et saisissez un Client ID. Cliquez sur Next.\nActivez Client authentication, et laissez Standard flow activé. Cliquez sur Next.\nCollez l’adresse de retour dans Valid redirect URIs. Cliquez sur Save.\nSous Credentials, copiez Client Secret dans ce formulaire.',
  onelogin:
    'Dans l’administration OneLogin, ouvrez Applications, Add App, et cherchez OpenId Connect (OIDC).\nSous Configuration, collez l’adresse de retour dans Redirect URI’s. Cliquez sur Save.\nSous SSO, copiez Client ID et Client Secret dans ce formulaire.\nSous SSO, mettez Application Type sur Web et Token Endpoint sur Basic.\nSous Access, choisissez qui peut se connecter.',
  ping: 'Dans la PingOne console, ouvrez Applications, et cliquez sur le signe plus.\nChoisissez OIDC Web App. Cliquez sur Save.\nSous Configuration, collez l’adresse de retour dans Redirect URIs, et copiez Issuer ID, Client ID et Client Secret dans ce formulaire.\nSous Configuration, mettez Token Endpoint Authentication Method sur Client Secret Basic.\nSous Resources, ajoutez email et profile. Activez l’application.',
  adfs: 'Dans AD FS Management, ouvrez Application Groups, Add Application Group, et choisissez Server application accessing a web API.\nCollez l’adresse de retour dans Redirect URI, cliquez sur Add, et copiez Client Identifier dans ce formulaire.\nChoisissez Generate a shared secret, et copiez-le dans ce formulaire.\nComme identifiant de la Web API, prenez le Client Identifier.\nSous Client Permissions, choisissez allatclaims, email, openid et profile.',
  jumpcloud:
    'Dans le JumpCloud Admin Portal, ouvrez SSO Applications, Add New Application, Custom Application.\nChoisissez Manage Single Sign-On (SSO) et Configure SSO with OIDC.\nCollez l’adresse de retour dans Redirect URIs, et choisissez Client Secret Basic.\nSous Attribute Mapping, choisissez les scopes Email et Profile. Cliquez sur Activate.\nCopiez Client ID et Client Secret dans ce formulaire.',
  github:
    'Sur GitHub, ouvrez Settings, Developer settings, OAuth Apps, New OAuth app.\nCollez l’adresse de retour dans Authorization callback URL. Cliquez sur Register application.\nCopiez Client ID dans ce formulaire.\nCliquez sur Generate a new client secret, et copiez Client secret dans ce formulaire.\nChacun peut créer un compte GitHub : ne laissez la connexion créer des utilisateurs que si vous le voulez.',
  microsoft:
    'Dans le Microsoft Entra admin center, ouvrez App registrations, New registration.\nSous Supported account types, choisissez Personal Microsoft accounts only.\nSous Redirect URI, choisissez Web, et collez l’adresse de retour. Cliquez sur Register.\nSous Overview, copiez Application (client) ID dans ce formulaire.\nSous Certificates & secrets, cliquez sur New client secret, et copiez sa Value.',
  apple:
    'Sur developer.apple.com, ouvrez Certificates, Identifiers & Profiles, Identifiers, et ajoutez un Services ID.\nActivez Sign in with Apple, et cliquez sur Configure.\nCollez l’adresse de retour dans Return URLs. Enregistrez.\nSous Keys, créez une clé pour Sign in with Apple. Signez-en le secret client : un JWT qui dure au plus 6 mois.\nCopiez l’identifiant du Services ID et ce JWT dans le formulaire.',
  other:
    'Enregistrez chez le fournisseur une application de type web.\nDonnez-lui l’adresse de retour comme redirect URI.\nAutorisez le flux authorization code avec PKCE (S256).\nCopiez l’issuer exactement comme le document de découverte l’écrit.\nCopiez client_id et client_secret dans ce formulaire.',
};

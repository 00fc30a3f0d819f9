import type { ProviderSteps } from './en.js';

/** Spanish. */
export const es: ProviderSteps = {
  entra:
    'En Microsoft Entra admin center, abra App registrations, New registration.\nEn Redirect URI, elija Web y pegue la dirección de retorno. Pulse Register.\nEn Overview, copie Application (client) ID y Directory (tenant) ID en este formulario.\nEn Certificates & secrets, pulse New client secret y copie su Value.\nEn Token configuration, pulse Add optional claim, ID, y elija auth_time.',
  okta: 'En Okta Admin Console, abra Applications, Create App Integration.\nElija OIDC - OpenID Connect y Web Application.\nPegue la dirección de retorno en Sign-in redirect URIs. Pulse Save.\nEn General, copie Client ID y el secreto de Client Secrets en este formulario.\nEn Assignments, elija quién puede iniciar sesión.',
  google:
    'En Google Cloud console, abra Google Auth Platform y elija la audiencia Internal.\nEn Clients, pulse Create client y elija Web application.\nPegue la dirección de retorno en Authorized redirect URIs. Pulse Create.\nCopie Client ID y Client secret en este formulario.\nPrimary domain es el dominio de su Google Workspace. Sin él podría entrar cualquiera con una cuenta de Google.',
  keycloak:
    'En Keycloak admin console, elija el realm y abra Clients, Create client.\nElija OpenID Connect y escriba un Client ID. Pulse Next.\nActive Client authentication y deje activado Standard flow. Pulse Next.\nPegue la dirección de retorno en Valid redirect URIs. Pulse Save.\nEn Credentials, copie Client Secret en este formulario.',
  onelogin:
    'En la administración de OneLogin, abra Applications, Add App, y busque OpenId Connect (OIDC).\nEn Configuration, pegue la dirección de retorno en Redirect URI’s. Pulse Save.\nEn SSO, copie Client ID y Client Secret en este formulario.\nEn SSO, ponga Application Type en Web y Token Endpoint en Basic.\nEn Access, elija quién puede iniciar sesión.',
  ping: 'En PingOne console, abra Applications y pulse el signo más.\nElija OIDC Web App. Pulse Save.\nEn Configuration, pegue la dirección de retorno en Redirect URIs, y copie Issuer ID, Client ID y Client Secret en este formulario.\nEn Configuration, ponga Token Endpoint Authentication Method en Client Secret Basic.\nEn Resources, añada email y profile. Active la aplicación.',
  adfs: 'En AD FS Management, abra Application Groups, Add Application Group, y elija Server application accessing a web API.\nPegue la dirección de retorno en Redirect URI, pulse Add, y copie Client Identifier en este formulario.\nElija Generate a shared secret y cópielo en este formulario.\nComo identificador de la Web API, use el Client Identifier.\nEn Client Permissions, elija allatclaims, email, openid y profile.',
  jumpcloud:
    'En JumpCloud Admin Portal, abra SSO Applications, Add New Application, Custom Application.\nElija Manage Single Sign-On (SSO) y Configure SSO with OIDC.\nPegue la dirección de retorno en Redirect URIs y elija Client Secret Basic.\nEn Attribute Mapping, elija los scopes Email y Profile. Pulse Activate.\nCopie Client ID y Client Secret en este formulario.',
  github:
    'En GitHub, abra Settings, Developer settings, OAuth Apps, New OAuth app.\nPegue la dirección de retorno en Authorization callback URL. Pulse Register application.\nCopie Client ID en este formulario.\nPulse Generate a new client secret y copie Client secret en este formulario.\nCualquiera puede crear una cuenta en GitHub: deje que la conexión cree usuarios solo si lo desea.',
  microsoft:
    'En el Microsoft Entra admin center, abra App registrations, New registration.\nEn Supported account types, elija Personal Microsoft accounts only.\nEn Redirect URI, elija Web y pegue la dirección de retorno. Pulse Register.\nEn Overview, copie Application (client) ID en este formulario.\nEn Certificates & secrets, pulse New client secret y copie su Value.',
  apple:
    'En developer.apple.com, abra Certificates, Identifiers & Profiles, Identifiers, y añada un Services ID.\nActive Sign in with Apple y pulse Configure.\nPegue la dirección de retorno en Return URLs. Guarde.\nEn Keys, cree una clave para Sign in with Apple. Firme con ella el secreto del cliente: un JWT que dura como máximo 6 meses.\nCopie el identificador del Services ID y este JWT en el formulario.',
  other:
    'Registre en el proveedor una aplicación de tipo web.\nDele la dirección de retorno como redirect URI.\nPermita el flujo authorization code con PKCE (S256).\nCopie el issuer exactamente como lo tiene el documento de descubrimiento.\nCopie client_id y client_secret en este formulario.',
};

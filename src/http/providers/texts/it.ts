import type { ProviderSteps } from './en.js';

/** Italian. */
export const it: ProviderSteps = {
  entra:
    'In Microsoft Entra admin center, apra App registrations, New registration.\nIn Redirect URI, scelga Web e incolli l’indirizzo di ritorno. Prema Register.\nIn Overview, copi Application (client) ID e Directory (tenant) ID in questo modulo.\nIn Certificates & secrets, prema New client secret e copi il suo Value.\nIn Token configuration, prema Add optional claim, ID, e scelga auth_time.',
  okta: 'In Okta Admin Console, apra Applications, Create App Integration.\nScelga OIDC - OpenID Connect e Web Application.\nIncolli l’indirizzo di ritorno in Sign-in redirect URIs. Prema Save.\nIn General, copi Client ID e il segreto in Client Secrets in questo modulo.\nIn Assignments, scelga chi può accedere.',
  google:
    'In Google Cloud console, apra Google Auth Platform e scelga il pubblico Internal.\nIn Clients, prema Create client e scelga Web application.\nIncolli l’indirizzo di ritorno in Authorized redirect URIs. Prema Create.\nCopi Client ID e Client secret in questo modulo.\nPrimary domain è il dominio del Suo Google Workspace. Senza, potrebbe accedere chiunque abbia un account Google.',
  keycloak:
    'In Keycloak admin console, scelga il realm e apra Clients, Create client.\nScelga OpenID Connect e scriva un Client ID. Prema Next.\nAttivi Client authentication e lasci attivo Standard flow. Prema Next.\nIncolli l’indirizzo di ritorno in Valid redirect URIs. Prema Save.\nIn Credentials, copi Client Secret in questo modulo.',
  onelogin:
    'Nell’amministrazione di OneLogin, apra Applications, Add App, e cerchi OpenId Connect (OIDC).\nIn Configuration, incolli l’indirizzo di ritorno in Redirect URI’s. Prema Save.\nIn SSO, copi Client ID e Client Secret in questo modulo.\nIn SSO, metta Application Type su Web e Token Endpoint su Basic.\nIn Access, scelga chi può accedere.',
  ping: 'In PingOne console, apra Applications e prema il segno più.\nScelga OIDC Web App. Prema Save.\nIn Configuration, incolli l’indirizzo di ritorno in Redirect URIs, e copi Issuer ID, Client ID e Client Secret in questo modulo.\nIn Configuration, metta Token Endpoint Authentication Method su Client Secret Basic.\nIn Resources, aggiunga email e profile. Attivi l’applicazione.',
  adfs: 'In AD FS Management, apra Application Groups, Add Application Group, e scelga Server application accessing a web API.\nIncolli l’indirizzo di ritorno in Redirect URI, prema Add, e copi Client Identifier in questo modulo.\nScelga Generate a shared secret e lo copi in questo modulo.\nCome identificativo della Web API, usi il Client Identifier.\nIn Client Permissions, scelga allatclaims, email, openid e profile.',
  jumpcloud:
    'In JumpCloud Admin Portal, apra SSO Applications, Add New Application, Custom Application.\nScelga Manage Single Sign-On (SSO) e Configure SSO with OIDC.\nIncolli l’indirizzo di ritorno in Redirect URIs e scelga Client Secret Basic.\nIn Attribute Mapping, scelga gli scope Email e Profile. Prema Activate.\nCopi Client ID e Client Secret in questo modulo.',
  github:
    'In GitHub, apra Settings, Developer settings, OAuth Apps, New OAuth app.\nIncolli l’indirizzo di ritorno in Authorization callback URL. Prema Register application.\nCopi Client ID in questo modulo.\nPrema Generate a new client secret e copi Client secret in questo modulo.\nChiunque può creare un account GitHub: lasci che la connessione crei utenti solo se lo desidera.',
  microsoft:
    'Nel Microsoft Entra admin center, apra App registrations, New registration.\nIn Supported account types, scelga Personal Microsoft accounts only.\nIn Redirect URI, scelga Web e incolli l’indirizzo di ritorno. Prema Register.\nIn Overview, copi Application (client) ID in questo modulo.\nIn Certificates & secrets, prema New client secret e ne copi il Value.',
  apple:
    'Su developer.apple.com, apra Certificates, Identifiers & Profiles, Identifiers, e aggiunga un Services ID.\nAttivi Sign in with Apple e prema Configure.\nIncolli l’indirizzo di ritorno in Return URLs. Salvi.\nIn Keys, crei una chiave per Sign in with Apple. Firmi con essa il segreto del client: un JWT che dura al massimo 6 mesi.\nCopi l’identificativo del Services ID e questo JWT nel modulo.',
  other:
    'Registri presso il provider un’applicazione di tipo web.\nLe dia l’indirizzo di ritorno come redirect URI.\nPermetta il flusso authorization code con PKCE (S256).\nCopi l’issuer esattamente come lo scrive il documento di discovery.\nCopi client_id e client_secret in questo modulo.',
};

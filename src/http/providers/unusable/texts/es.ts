import type { UnusableReasons } from './en.js';

/** Spanish. */
export const es: UnusableReasons = {
  notHttps: 'La dirección no es https. Muster solo habla con proveedores por https.',
  privateAddress:
    'El host tiene una dirección privada. Quien opera Muster puede permitirlo con MUSTER_PRIVATE_PROVIDER_HOSTS.',
  unknownHost: 'El host no existe. Compare su nombre letra por letra.',
  unresolvedHost: 'Ningún servidor de nombres da la dirección del host. Inténtelo de nuevo en un momento.',
  unreachable: 'El host no responde. ¿Funciona el proveedor y deja pasar el cortafuegos a Muster?',
  untrusted:
    'El certificado del host no es de confianza. Ha caducado, es de otro host o Muster no conoce su autoridad.',
  tooSlow: 'El proveedor tarda más de cinco segundos. Inténtelo de nuevo en un momento.',
  wrongStatus: 'En esta dirección no hay tal documento. Compare la dirección letra por letra.',
  tooLarge: 'El documento de esta dirección es demasiado grande.',
  notJson: 'El documento de esta dirección no es JSON.',
  discoveryMissing:
    'En esta dirección no hay un documento de descubrimiento de OpenID Connect. Compare el issuer letra por letra.',
  githubMissing:
    'En esta dirección no hay ningún GitHub. Compare el host letra por letra: es github.com, acme.ghe.com o el de su servidor.',
  issuerDiffers:
    'El documento de descubrimiento nombra otro issuer. Copie el issuer exactamente como está allí, con o sin barra al final.',
  addressMissing: 'Al documento de descubrimiento le falta una dirección necesaria, o no es https.',
  keysMissing: 'El proveedor no publica ninguna clave utilizable. Mire sus claves (jwks_uri).',
  metadataBroken:
    'Los metadatos no son XML bien formado, o tienen una declaración que no está permitida. Cópielos enteros.',
  providerMissing: 'Los metadatos no describen un proveedor de SAML. Quizá sean los de una aplicación.',
  severalProviders: 'Los metadatos describen varios proveedores. Use los de uno.',
  protocolDiffers: 'Los metadatos son de otro protocolo que SAML 2.0.',
  outOfDate: 'Los metadatos han caducado (validUntil). Obténgalos de nuevo.',
  incomplete: 'A los metadatos les falta el entity ID, una dirección de inicio de sesión o un certificado.',
  certificatesUnusable: 'Los metadatos no tienen ningún certificado de una clave RSA de 2048 a 8192 bits.',
  providerDiffers: 'Los metadatos son de otro proveedor que el de la conexión.',
  busy: 'Se leen demasiados proveedores en este momento. Inténtelo de nuevo en un momento.',
};

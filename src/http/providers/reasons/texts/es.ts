import type { RefusalReasons } from './en.js';

/** Spanish. */
export const es: RefusalReasons = {
  unreachable:
    'El proveedor no responde. Pulse «Probar el proveedor». Mire su página de estado y su dirección.',
  metadataInvalid:
    'El documento de descubrimiento falta o nombra otro emisor. Compare el issuer letra por letra.',
  cancelled:
    'La persona terminó el inicio de sesión en el proveedor, o este no la dejó entrar. Mire quién puede usar allí la aplicación.',
  refusedByProvider:
    'El proveedor respondió con un error. Compare la dirección de retorno, el client ID y los scopes con su aplicación.',
  answerInvalid:
    'La respuesta no correspondía a la petición. Si pasa a menudo, compare el issuer, y si el proveedor responde con un formulario.',
  codeRefused:
    'El proveedor rechazó el secreto del cliente o el código. Casi siempre el secreto es erróneo o ha caducado. Ponga uno nuevo.',
  tokenInvalid: 'El ID token no es para esta conexión, o un reloj va mal. Compare el client ID y el issuer.',
  signatureInvalid:
    'La firma del ID token no corresponde a las claves del proveedor. Pulse «Probar el proveedor».',
  tenantWrong:
    'La persona es de otro inquilino o dominio del proveedor. Así debe ser si usted no conoce a la persona.',
  notFresh:
    'Hacía falta un inicio de sesión reciente, y el proveedor no dice cuándo fue. En Entra, añada el claim opcional auth_time.',
  secretMissing: 'El secreto ya no se puede leer. Póngalo de nuevo.',
  connectionOff: 'La conexión se desactivó entretanto.',
  unknownPerson:
    'Ningún usuario está vinculado, y ninguna regla vincula a uno. Aprovisione a la persona, vincúlela, o deje que la conexión cree usuarios.',
  inactive: 'El usuario está inactivo aquí. Actívelo, o déjelo así.',
  locked: 'El usuario está bloqueado tras demasiadas contraseñas erróneas. Desbloquéelo, o espere.',
  roleOutside:
    'El usuario tiene un rol en la instancia o en otra organización. Inicia sesión con contraseña o passkey.',
  ambiguous: 'Varios usuarios tienen este identificador o esta dirección. Cámbielos en todos menos en uno.',
  quotaFull: 'La organización no tiene sitio para otro usuario. Quite usuarios, o pida una cuota mayor.',
  valueTaken:
    'Otro usuario tiene el nombre de inicio de sesión u otro valor único. Vincule a la persona con él, o cambie el valor.',
  tooManyIdentities: 'El usuario tiene 20 identidades. Quite una.',
  identityTaken: 'La identidad pertenece a otro usuario.',
  assertionInvalid:
    'La aserción no corresponde a esta solicitud: audiencia, dirección, hora o sujeto. Compare el Entity ID y el ACS, y lea el detalle.',
  assertionUsed: 'La misma aserción llegó por segunda vez. La persona puede iniciar sesión de nuevo.',
  undecryptable: 'La aserción cifrada no se puede abrir. Dé al proveedor el certificado de esta conexión.',
  tooCostly: 'La lectura de la respuesta tardó demasiado, o llegaron demasiadas a la vez.',
};

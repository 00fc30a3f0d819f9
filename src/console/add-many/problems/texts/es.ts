import type { ProblemTexts } from './shape.js';

/** Spanish. What stands in braces is a parameter of the problem. */
export const es: ProblemTexts = {
  notJson: 'Esta línea no es JSON. Corríjala o exporte el archivo otra vez.',
  notObject: 'Esta línea no es un objeto JSON. Corríjala o exporte el archivo otra vez.',
  twoMembers: 'La persona tiene dos valores con el mismo nombre. Quite uno.',
  reservedMember: 'La persona tiene un valor llamado {name}. Cámbiele el nombre.',
  tooLong: 'La persona tiene más de {most} bytes. Quite los valores largos.',
  notUtf8: 'Esta línea no es texto en UTF-8. Guarde el archivo en UTF-8.',
  cells: 'La fila tiene {count} celdas, y el encabezado {expected}. Corrija la fila.',
  notPerson: 'No es una persona de {system}: falta un nombre para iniciar sesión. Añádalo.',
  otherSystem: 'No es una persona de {system}. Elija otro origen del archivo.',
  noUserName: 'La persona no tiene ni nombre de usuario ni dirección de correo. Añada uno de los dos.',
  noAddress: 'La persona no tiene dirección de correo. Añádala.',
  noName: 'Falta el nombre o el apellido. Añádalo.',
  noIdentifier: 'La persona no tiene identificador. Añádalo.',
  identifier:
    'El identificador tiene más de 200 caracteres, espacios u otras letras que de la a a la z. Cámbielo.',
  value: '{name}: este valor no sirve. Corríjalo.',
  notText: '{name}: el valor no es texto en UTF-8. Corríjalo.',
  notDate: '{name}: indique una fecha entre 1970 y hoy.',
  notFlag: '{name}: escriba yes o no.',
  hashUnreadable: 'El hash de la contraseña no se puede leer. Omita esos hashes más abajo o vacíe la celda.',
  hashCost:
    'Comprobar el hash de la contraseña cuesta demasiado. Omita esos hashes más abajo o vacíe la celda.',
  credentialsMissing:
    'La persona no tiene ni contraseña ni dirección de correo. Añada una de las dos, o permita esas personas más abajo.',
  hashAndPassword: 'La persona tiene una contraseña y un hash. Quite uno de los dos.',
  clearPassword: 'La contraseña no es un hash. Quítela.',
  longPassword:
    'La contraseña tiene más de 200 caracteres. Indique una más corta, u omita esas contraseñas más abajo.',
  secondFactor: 'La persona tiene un segundo factor que no se puede traer. Elija más abajo qué hacer.',
  secondFactorUnverified:
    'El segundo factor no se puede traer, y la persona no tiene dirección de correo para un enlace. Añada una, o elija otra cosa más abajo.',
  tooManyGroups: 'El archivo tiene más de {most} grupos. Quizá una columna no es un grupo.',
  groupName: 'Otro grupo tiene el mismo nombre. Cambie el nombre de uno.',
  sameIdentifier: 'La línea {line} tiene el mismo identificador. Cambie o quite uno de los dos.',
  sameName: 'La línea {line} tiene el mismo nombre de usuario. Cambie o quite uno de los dos.',
  groupUnnamed: 'A un grupo le falta el valor «{name}». Añádalo.',
  groupTwice: 'El archivo tiene este grupo dos veces. Quite uno de los dos.',
  subgroupNotObject:
    'Un subgrupo de este grupo no es un objeto JSON. Corríjalo o exporte el archivo otra vez.',
  subgroupsLost: 'Los grupos de este grupo se omiten con él. Corrija primero el grupo.',
  organizationUnnamed: 'La organización {place} del archivo no tiene identificador. Añada su orgId.',
  otherHash:
    'La línea {line} tiene otro hash de contraseña para el mismo identificador. Quite uno de los dos.',
  noNameColumn:
    'Ningún valor parece un nombre de usuario ni una dirección de correo. Llame «email» o «userName» a uno de los valores.',
  noPeople: 'No se encuentra a nadie en el archivo.',
  noList: 'El archivo no tiene una lista de personas.',
  brokenEntry: 'La entrada no sigue las reglas de LDIF. Corríjala o exporte el archivo otra vez.',
  brokenJson: 'El archivo deja de ser JSON en la línea {line}. Corríjalo o expórtelo otra vez.',
  severalRealms: 'El archivo tiene varios realms: {list}. Exporte solo uno.',
  brokenTable: 'Línea {line}: unas comillas están fuera de lugar o sin cerrar.',
  longRow: 'La línea {line} es demasiado larga. Quizá unas comillas quedaron sin cerrar.',
  tooManyColumns: 'La tabla tiene más de {most} columnas.',
  columnUnnamed: 'La columna {place} no tiene encabezado. Póngale uno o quite la columna.',
  columnTwice: 'Dos columnas tienen el encabezado {name}. Cambie uno.',
  tooMuch: 'El archivo necesita demasiado tiempo o memoria. Divídalo.',
  other: 'El archivo no sirve. Expórtelo otra vez o elija otro origen del archivo.',
};

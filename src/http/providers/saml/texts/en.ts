/** English. What an administrator does at a provider of SAML. */
export const en = {
  open: 'In the {page}, open {open}.',
  openOther: 'Add an application for SAML 2.0 at the provider.',
  enter: 'Enter the two values above under the names that they have there.',
  set: 'Under {where}: {what}',
  address: 'Copy the address of the metadata into this form: {name}',
  file: 'Save the metadata as a file, and choose it in this form: {name}',
};

export type SamlStepTexts = { readonly [Key in keyof typeof en]: string };

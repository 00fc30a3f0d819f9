/** The index of all documents. The guides are below it. */
export const guidesPath = '/docs/guides';

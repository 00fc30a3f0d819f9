/** Bytes of the longest record. An import fails longer ones, and a conversion writes none. */
export const maxRecordBytes = 1024 * 1024;

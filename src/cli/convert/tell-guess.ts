import type { MappingGuess } from '#src/migration/convert/guess/guess-mapping.js';

/** More columns are counted. */
const mostColumns = 200;

/** Says which columns a conversion without a mapping found, and what it makes of them. Names are quoted, because a file can have any. */
export function guessLines({ columns, mapping }: MappingGuess): string[] {
  const shown = columns
    .slice(0, mostColumns)
    .map(({ name, to }) => `  ${JSON.stringify(name)}: ${to ?? 'left out'}`);
  const others = columns.length - shown.length;
  return [
    'There is no mapping (--map), so the columns are taken like this:',
    ...shown,
    ...(others > 0 ? [`  ... and ${others} more`] : []),
    'The same as a mapping, to correct it (--save-map FILE writes it):',
    JSON.stringify(mapping),
  ];
}

/** Whether a cell is what databases write where there is no value: `\\N` of MySQL and PostgreSQL, `NULL` of phpMyAdmin and SQL Server. */
export function isNoValue(cell: string): boolean {
  return cell === 'NULL' || cell === '\\N';
}

/** What a cell says. Programs write `="0123"` so that Excel keeps the zero. */
export function cellText(cell: string): string {
  if (isNoValue(cell)) return '';
  return cell.length > 3 && cell.startsWith('="') && cell.endsWith('"') ? cell.slice(2, -1) : cell;
}

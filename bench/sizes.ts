import { weights } from './weights.js';

/** Prints what documents weigh in MongoDB, as docs/operations.md has it. */
for (const { collection, document, keys } of weights()) {
  const sum = [...keys.values()].reduce((total, bytes) => total + bytes, 0);
  console.log(`${collection}: ${document} bytes, ${sum} bytes in ${keys.size} indexes`);
  for (const [name, bytes] of keys) console.log(`  ${name}: ${bytes}`);
}

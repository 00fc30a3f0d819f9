import { findImages } from './images/find-images.js';
import { whyMoving } from './images/reference.js';
import { repository } from './repository.js';

const { images, problems } = findImages(repository);
const moving = images.flatMap(({ file, text }) => {
  const why = whyMoving(text);
  return why === undefined ? [] : [`${file}: ${text} ${why}`];
});
const found = [...problems, ...moving];
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;

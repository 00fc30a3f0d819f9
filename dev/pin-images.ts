import { pinImages } from './images/pin-images.js';
import { repository } from './repository.js';

/**
 * `make pin-images`: writes the digests of the images into the files that name them. `PIN_IMAGES_HUB` is the address of a mirror
 * of Docker Hub.
 */
const isWhole = await pinImages(repository, { hub: process.env['PIN_IMAGES_HUB'], log: console.log });
if (!isWhole) {
  console.error('Some images have no digest. Run this where their registry can be reached.');
  process.exitCode = 1;
}

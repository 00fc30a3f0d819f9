export { forgetBrowser } from './forget-browser.js';
export { listBrowsers } from './list-browsers.js';
export { recallBrowser } from './recall-browser.js';
export { rememberBrowser, rememberedMs } from './remember-browser.js';

import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';

/** Seconds between two looks without JavaScript. */
export const refreshSeconds = 5;

/**
 * A part of a page that changes by itself. With JavaScript the browser asks for the page again every two seconds and takes only this
 * part of it. When the page says that nothing changes any more, the browser stops.
 */
export function liveRegion(options: {
  id: string;
  address: string;
  isLive: boolean;
  content: HtmlValue;
}): Html {
  const { id, address, isLive, content } = options;
  return html`<div id="${id}"${
    isLive && html` hx-get="${address}" hx-trigger="every 2s" hx-select="#${id}" hx-swap="outerHTML"`
  }>${content}</div>`;
}

import { encode } from 'uqr';
import { type Html, html } from '#src/http/pages/html.js';

/** A text as a QR code in inline SVG. The dark modules are the squares of one path. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#000" d="${path}"/></svg>`;
}

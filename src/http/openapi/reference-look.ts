/**
 * Shows the document in the colours that the person prefers, and mends what Swagger UI lacks for assistive technologies: names of
 * choices, levels of headings, keyboard access to long examples, and links within buttons. The address of the document stands in the page.
 */
export const referenceScript = `
const place = document.getElementById('reference');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const mend = () => {
  for (const link of place.querySelectorAll('button a[href]')) link.removeAttribute('href');
  for (const choice of place.querySelectorAll('select:not([aria-label])')) choice.setAttribute('aria-label', 'Choice');
  for (const code of place.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
  for (const [name, role] of [['.information-container', 'banner'], ['.scheme-container', 'form'], ['.filter', 'search']])
    for (const part of place.querySelectorAll(name + ':not([role])')) {
      part.setAttribute('role', role);
      part.setAttribute('aria-label', role);
    }
  for (const [name, level] of [['.opblock-tag', '2'], ['.models h4', '2'], ['.opblock-title', '3']])
    for (const heading of place.querySelectorAll(name + ':not([aria-level])')) heading.setAttribute('aria-level', level);
};
new MutationObserver(mend).observe(place, { childList: true, subtree: true });
SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

/** What differs from the style of Swagger UI: contrasts of at least 4.5:1, and no part that is wider than a telephone. */
export const referenceStyle = `
body{margin:0;background:#fff}
.noscript{padding:1rem;font-family:system-ui,sans-serif}
.swagger-ui .schemes-server-container,.swagger-ui .info .version{display:none}
.swagger-ui .info .link,.swagger-ui .info .url,.swagger-ui a.link{color:#1f5fb0}
.swagger-ui .renderedMarkdown code,.swagger-ui .info code{color:#6d0fb8}
.swagger-ui .opblock .opblock-summary-method{color:#fff;text-shadow:none}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#1c63b8}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:#0e7a4b}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:#9a5b00}
.swagger-ui .opblock.opblock-patch .opblock-summary-method{background:#0d6f6b}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:#b3201b}
.swagger-ui .btn.authorize,.swagger-ui .response-control-media-type__accept-message{color:#0e7a4b}
.swagger-ui .btn.authorize svg{fill:#0e7a4b}
.swagger-ui .parameter__name.required span,.swagger-ui .parameter__name.required::after,.swagger-ui .opblock-section-header>label>span,.swagger-ui .opblock-title span{color:#b3201b}
.swagger-ui .parameter__in,.swagger-ui .parameter__type,.swagger-ui .prop-format{color:#4a5163}
.swagger-ui .opblock-body,.swagger-ui .wrapper{max-width:100%;overflow-wrap:anywhere}
.swagger-ui .responses-wrapper,.swagger-ui .table-container{overflow-x:auto}
html.dark-mode,html.dark-mode body{background:#1c2022}
html.dark-mode .noscript,html.dark-mode .swagger-ui .examples-select__section-label,html.dark-mode .swagger-ui .headers td,html.dark-mode .swagger-ui .header-col{color:#e4e6e6}
html.dark-mode .swagger-ui .info .link,html.dark-mode .swagger-ui .info .url,html.dark-mode .swagger-ui a.link{color:#8ab8ff}
html.dark-mode .swagger-ui .renderedMarkdown code,html.dark-mode .swagger-ui .info code{color:#d9b3ff}
html.dark-mode .swagger-ui .btn.authorize,html.dark-mode .swagger-ui .response-control-media-type__accept-message{color:#5fd6a0}
html.dark-mode .swagger-ui .btn.authorize svg{fill:#5fd6a0}
html.dark-mode .swagger-ui .parameter__name.required span,html.dark-mode .swagger-ui .parameter__name.required::after,html.dark-mode .swagger-ui .opblock-section-header>label>span,html.dark-mode .swagger-ui .opblock-title span{color:#ff9c96}
html.dark-mode .swagger-ui .parameter__in,html.dark-mode .swagger-ui .parameter__type,html.dark-mode .swagger-ui .prop-format{color:#c3c8d1}
html.dark-mode .swagger-ui .microlight span[style*="211, 99, 99"]{color:#ff9c96!important}
`;

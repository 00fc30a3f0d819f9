import { hash } from 'node:crypto';

/** What the documents and the reference of the API need beside the style sheet of all pages. */
export const documentStylesheet = `
body{justify-content:flex-start}
main.document{max-width:78rem;margin:0 auto;text-align:left}
.sections ul{display:flex;flex-wrap:wrap;gap:.3rem 1rem;list-style:none;margin:0 0 1.5rem;padding:0;font-size:.925rem}
.sections a{display:inline-block;padding:.2rem 0;text-decoration:none}
.sections a:hover{text-decoration:underline}
.sections [aria-current]{color:var(--ink);font-weight:650}
.document article{min-width:0}
.document section{scroll-margin-top:1rem}
.document h1{margin-bottom:.75rem}
.document h2 a{color:inherit;text-decoration:none}
.document h2 a:hover{text-decoration:underline}
.document h3{font-size:.95rem}
.operations{list-style:none;margin:.75rem 0 1.5rem;padding:0}
.operations li{display:grid;gap:0 1.5rem;padding:.45rem 0;border-top:1px solid var(--line)}
.call{overflow-wrap:anywhere;font-size:.925rem}
.method{display:inline-block;min-width:4.1rem;margin-right:.25rem;padding:.05rem .45rem;border:1px solid var(--line);border-radius:.35rem;background:var(--ground);font-size:.75rem;font-weight:700;letter-spacing:.03em;text-align:center}
.document table{width:100%;margin:.6rem 0 1rem;border-collapse:collapse;table-layout:fixed;font-size:.925rem}
.document thead th:first-child{width:16rem}
.document th,.document td{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
.document thead th{border-top:0;color:var(--soft);font-size:.85rem}
.document tbody th code{font-weight:600}
.document .nested>td{padding:0 0 .5rem;border-top:0}
.document .nested details>*:not(summary),.response{padding-left:.85rem;border-left:2px solid var(--line)}
.response table,.nested table{margin:.25rem 0}
.mark-of{display:block;color:var(--soft);font-size:.8rem}
.type{color:var(--soft)}
.guide h2{margin:2.25rem 0 .5rem;font-size:1.2rem}
.guide h3{margin:1.75rem 0 .35rem}
.guide h2,.guide h3{scroll-margin-top:1rem}
.guide ul,.guide ol{margin:.25rem 0 1rem;padding-left:1.35rem}
.guide li{margin:.25rem 0}
.guide table{table-layout:auto}
.guide thead th:first-child{width:auto;min-width:7rem}
.guide th:empty{padding:0}
.guide pre{overflow-x:auto;white-space:pre;overflow-wrap:normal}
summary{padding:.35rem 0;cursor:pointer;font-size:.925rem}
.document pre{margin:.25rem 0 1rem;padding:1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground);white-space:pre-wrap;overflow-wrap:anywhere;font:.85rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media(min-width:64rem){main.document{display:grid;grid-template-columns:12rem minmax(0,1fr);gap:3rem}.sections ul{position:sticky;top:1.5rem;flex-direction:column;gap:.15rem}.operations li{grid-template-columns:1fr 1.2fr}}
@media(max-width:34rem){.document thead th:first-child{width:38%}}
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const documentStylesheetPath = `/docs/assets/${hash('sha256', documentStylesheet, 'hex').slice(0, 16)}.css`;

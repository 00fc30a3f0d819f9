import { hash } from 'node:crypto';

/**
 * The style sheet of the pages: light and dark, from 320 pixels up, with a contrast above 4.5:1 everywhere.
 */
export const stylesheet = `
:root{color-scheme:light dark;--ground:#eef1f6;--card:#fff;--ink:#1a2130;--soft:#515b6e;--line:#c4cad6;--field:#fff;--accent:#2447c9;--onaccent:#fff;--bad:#b3201b;--badground:#fdeeed;--good:#146637;--goodground:#e9f7ef}
@media(prefers-color-scheme:dark){:root{--ground:#10141c;--card:#1a202c;--ink:#eef1f7;--soft:#b3bccd;--line:#3d4657;--field:#131925;--accent:#9db4ff;--onaccent:#0d1530;--bad:#ffb0aa;--badground:#3a1b1d;--good:#9be3b6;--goodground:#15301f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--ground);color:var(--ink)}
main{width:100%;max-width:27rem;margin:clamp(0rem,9vh,6rem) auto 2rem;padding:2.25rem;background:var(--card);border-radius:1rem;box-shadow:0 1px 2px rgb(16 24 40/.08),0 12px 32px rgb(16 24 40/.08)}
main.wide{max-width:44rem;margin-top:clamp(0rem,5vh,3rem)}
.brand{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600;color:var(--soft);overflow-wrap:anywhere}
.brand img{max-width:10rem;max-height:3rem;object-fit:contain}
.brand .mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.6rem;background:var(--accent);color:var(--onaccent);font-weight:700}
h1{margin:0 0 .25rem;font-size:1.6rem;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 .25rem;font-size:1.15rem;line-height:1.3}
p{margin:.25rem 0 1rem;overflow-wrap:anywhere}
.soft,.hint{color:var(--soft)}
.hint{margin:.3rem 0 0;font-size:.9rem}
form{margin:1.25rem 0 0}
section{padding:1.5rem 0;border-top:1px solid var(--line)}
section form{margin-top:.75rem}
.field{margin:0 0 1.1rem}
label{display:block;margin:0 0 .35rem;font-weight:600}
input,select{width:100%;min-height:2.9rem;padding:.55rem .8rem;font:inherit;color:inherit;background:var(--field);border:1px solid #7d8798;border-radius:.6rem}
input.code{max-width:12rem;font-size:1.4rem;letter-spacing:.3em;font-variant-numeric:tabular-nums}
[aria-invalid=true]{border:2px solid var(--bad)}
.error{margin:.3rem 0 0;font-size:.95rem;color:var(--bad)}
.alert,.notice{margin:1rem 0;padding:.75rem 1rem;border-radius:.6rem;border-left:4px solid var(--bad);background:var(--badground);color:var(--bad)}
.notice{border-color:var(--good);background:var(--goodground);color:var(--good)}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.9rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-decoration:none;border:1px solid var(--accent);border-radius:.6rem;background:var(--accent);color:var(--onaccent);cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
button.full{width:100%}
button.quiet,.button.quiet{background:transparent;color:var(--ink);border-color:#7d8798}
a{color:var(--accent);text-underline-offset:.2em}
.links{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1.5rem 0 0}
.links p{margin:0}
ul{padding-left:1.25rem}
.rows{list-style:none;margin:1rem 0 0;padding:0}
.rows>li{margin:0 0 .6rem}
.rows form{margin:0}
.row{display:flex;align-items:center;justify-content:space-between;gap:1rem}
.row p{margin:0}
.account{width:100%;justify-content:flex-start;gap:.85rem;padding:.75rem 1rem;text-align:left;background:transparent;color:var(--ink);border-color:var(--line)}
.account span{min-width:0;overflow-wrap:anywhere}
.account .soft{display:block;font-weight:400;font-size:.9rem}
.avatar{flex:none;display:grid;place-items:center;width:2.4rem;height:2.4rem;border-radius:50%;background:var(--accent);color:var(--onaccent);font-weight:700}
.pair{display:grid;gap:0 1rem}
.qr{display:block;width:12rem;height:12rem;margin:.75rem 0;padding:.6rem;background:#fff;border-radius:.6rem;border:1px solid var(--line)}
code{font:1rem ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
.job{padding:1rem 1.15rem;border:1px solid var(--line);border-radius:.6rem}
.job h3{margin:0;font-size:1rem}
.job p{margin:.35rem 0 0}
.job code{font-size:.85rem}
.job progress{width:100%;height:.6rem;margin-top:.6rem;accent-color:var(--accent)}
.job .state{margin:0;color:var(--soft);font-weight:600}
.job .completed{color:var(--good)}
.job .failed,.job .expired{color:var(--bad)}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem;margin-bottom:1.25rem}
.top p{margin:0}
:focus-visible{outline:3px solid #d97706;outline-offset:2px}
@media(min-width:34rem){.pair{grid-template-columns:1fr 1fr}}
@media(max-width:34rem){body{background:var(--card)}main,main.wide{margin:0;padding:1.5rem 1.25rem;border-radius:0;box-shadow:none}}
@media(forced-colors:active){main,.alert,.notice{border:1px solid}}
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const stylesheetPath = `/login/assets/${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`;

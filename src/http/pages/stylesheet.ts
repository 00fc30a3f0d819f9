import { hash } from 'node:crypto';
import { copyRules } from './copy.js';
import { cssProperties, palettes } from './palette.js';

/**
 * The style sheet of all pages: light and dark, from 320 pixels up. Colours are properties such as `var(--accent)`, so that
 * the brand of an organization can replace them (`brand.ts`). The pseudo-element of a logo appears only if it cannot be loaded.
 */
export const stylesheet = `
:root{color-scheme:light dark;${cssProperties(palettes.light)};--radius:.625rem}
@media(prefers-color-scheme:dark){:root{${cssProperties(palettes.dark)}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;justify-content:safe center;padding:2rem 1rem;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--ground);color:var(--ink)}
main{width:100%;max-width:26rem;padding:2.5rem 2.5rem 2.25rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px rgb(16 20 30/.04),0 16px 40px -16px rgb(16 20 30/.14)}
.brand{display:flex;flex-direction:column;align-items:center;gap:.6rem;margin:0 0 1.5rem;font-weight:600;text-align:center;overflow-wrap:anywhere}
.mark{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:.8rem;background:var(--fill);color:var(--onfill);border:1px solid var(--filledge);font-size:1.35rem;font-weight:650;line-height:1}
.logo{position:relative;width:100%;height:3rem;object-fit:contain}
.logo::after{content:attr(alt);position:absolute;inset:0;display:grid;place-items:center;overflow:hidden;background:var(--card);font-size:1.2rem;line-height:1.2;overflow-wrap:anywhere}
.mark svg{width:1.6rem;height:1.6rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.service{display:flex;justify-content:center;margin:0 0 1.25rem}
main.wide .service{justify-content:flex-start}
h1{margin:0 0 .35rem;font-size:1.5rem;font-weight:650;line-height:1.25;letter-spacing:-.015em;text-align:center;text-wrap:balance;overflow-wrap:anywhere}
h1+.chip{margin-top:1rem}
h1+.soft{margin:0 0 1.5rem;text-align:center;text-wrap:pretty}
h2{margin:0;font-size:1.05rem;font-weight:650;line-height:1.35}
p{margin:.25rem 0 1rem;overflow-wrap:anywhere}
.soft,.hint,.detail{color:var(--soft)}
.hint{margin:.35rem 0 0;font-size:.875rem;line-height:1.45}
.center{text-align:center}
form{margin:1.25rem 0 0}
.field{margin:0 0 1.15rem}
label{display:block;margin:0 0 .4rem;font-size:.925rem;font-weight:550}
input,select,textarea{width:100%;min-height:2.875rem;padding:.6rem .85rem;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:var(--radius);transition:border-color .12s,box-shadow .12s}
input:hover,select:hover,textarea:hover{border-color:var(--soft)}
input:focus,select:focus,textarea:focus{outline:0;border-color:var(--accent);box-shadow:0 0 0 1px var(--accent),0 0 0 4px color-mix(in srgb,var(--accent) 22%,transparent)}
input:-webkit-autofill{-webkit-text-fill-color:var(--ink);box-shadow:0 0 0 4rem var(--field) inset}
input:-webkit-autofill:focus{box-shadow:0 0 0 4rem var(--field) inset,0 0 0 1px var(--accent),0 0 0 4px color-mix(in srgb,var(--accent) 22%,transparent)}
input.code{font-size:1.4rem;letter-spacing:.28em;text-align:center;font-variant-numeric:tabular-nums}
input.typed{font:600 1.1rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.08em;text-transform:uppercase}
.codes{display:grid;gap:.4rem;list-style:none;margin:1.25rem 0;padding:1.1rem 1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground);text-align:center}
.codes code{font-size:1rem;letter-spacing:.03em;white-space:nowrap}
.key code{font-size:.85rem}
.secret{position:relative}
.secret input{padding-right:3.2rem}
.secret button{position:absolute;inset:1px 1px 1px auto;width:2.9rem;min-height:0;padding:0;border:0;border-radius:calc(var(--radius) - 1px);background:none;color:var(--soft)}
.secret button:hover{background:none;color:var(--ink)}
.secret svg{width:1.3rem;height:1.3rem;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.secret [aria-pressed=false] .off,.secret [aria-pressed=true] .on{display:none}
input[readonly]{background:var(--ground);color:var(--soft)}
[aria-invalid=true],[aria-invalid=true]:hover{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
[aria-invalid=true]:focus{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad),0 0 0 4px color-mix(in srgb,var(--bad) 22%,transparent)}
.error{margin:.4rem 0 0;font-size:.9rem;color:var(--bad)}
.alert,.notice{margin:1.25rem 0;padding:.8rem 1rem;border-radius:var(--radius);border:1px solid color-mix(in srgb,var(--bad) 28%,transparent);background:var(--badground);color:var(--bad);font-size:.95rem;overflow-wrap:anywhere}
.notice{border-color:color-mix(in srgb,var(--good) 28%,transparent);background:var(--goodground);color:var(--good)}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.875rem;padding:.5rem 1.2rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid var(--filledge);border-radius:var(--radius);background:var(--fill);color:var(--onfill);cursor:pointer;transition:background-color .12s}
button:hover,.button:hover{background:var(--fillhover)}
button.full,.button.full{width:100%;margin-top:.35rem}
button.quiet,.button.quiet{background:transparent;color:var(--ink);border-color:var(--edge)}
button.quiet:hover,.button.quiet:hover{background:color-mix(in srgb,var(--ink) 7%,transparent)}
button.small,.button.small{min-height:2.25rem;padding:.3rem .85rem;font-size:.925rem}
.buttons{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin:1.25rem 0 0}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.2em}
a:hover{text-decoration-thickness:2px}
.links{display:flex;flex-direction:column;align-items:center;gap:.6rem;margin:1.5rem 0 0;font-size:.95rem;text-align:center}
.links p{margin:0}
ul{padding-left:1.25rem}
li{overflow-wrap:anywhere}
.check{display:flex;align-items:flex-start;gap:.6rem;margin:0}
.check input{flex:none;width:1.2rem;height:1.2rem;min-height:0;margin:.15rem 0 0;accent-color:var(--accent)}
.check label{margin:0;font-weight:400}
.rows{list-style:none;margin:1rem 0 0;padding:0}
.rows>li{margin:0 0 .6rem}
.rows form{margin:0}
.row{display:flex;align-items:center;justify-content:space-between;gap:1rem}
.row p{margin:0}
.row>.button,.row>form{flex:none}
.account{width:100%;justify-content:flex-start;gap:.85rem;padding:.7rem .9rem;text-align:left;background:transparent;color:var(--ink);border-color:var(--line)}
.account:hover{background:color-mix(in srgb,var(--ink) 5%,transparent)}
.account span{min-width:0;overflow-wrap:anywhere}
.account::after{content:"";flex:none;width:.5rem;height:.5rem;margin-left:auto;border:solid var(--soft);border-width:2px 2px 0 0;rotate:45deg}
.account .soft{display:block;font-weight:400;font-size:.9rem}
.avatar{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;background:var(--fill);color:var(--onfill);border:1px solid var(--filledge);font-weight:650}
.pair{display:grid;gap:0 1rem}
.qr{display:block;width:12rem;height:12rem;margin:.75rem auto;padding:.6rem;background:#fff;border-radius:var(--radius);border:1px solid var(--line)}
code{font:.925em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
main.wide{max-width:58rem;margin-block:auto}
main.wide h1,main.wide h1+.soft{text-align:left}
main.wide .brand{flex-direction:row;text-align:left}
main.wide .logo{object-position:left}
main.wide .logo::after{place-items:center start}
section{padding:1.75rem 0;border-top:1px solid var(--line)}
section>div>form{margin-top:0}
section .rows{margin-top:0}
section table{width:100%;margin:1rem 0 1.25rem;border-collapse:collapse;table-layout:fixed;font-size:.9rem}
section :is(th,td){padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
section th{color:var(--soft);font-weight:600}
section h3{margin:1.5rem 0 0;font-size:1rem;font-weight:650}
section .row+h3+.row{margin-top:.25rem}
.person{display:flex;align-items:center;gap:.85rem;font-weight:600}
.person span{min-width:0;overflow-wrap:anywhere}
.person .soft{display:block;font-weight:400;font-size:.9rem}
.granted{list-style:none;margin:0 0 1.25rem;padding:0}
.granted li{position:relative;margin:0 0 .5rem;padding-left:1.75rem}
.granted li::before{content:"";position:absolute;left:.2rem;top:.35em;width:.42rem;height:.72rem;border:solid var(--accent);border-width:0 2px 2px 0;rotate:42deg}
.chip{width:max-content;max-width:100%;margin:0 auto 1.5rem;padding:.45rem 1.1rem .45rem .5rem;border:1px solid var(--line);border-radius:2rem}
.chip .avatar{width:2.1rem;height:2.1rem;font-size:.95rem}
.tag{display:inline-block;padding:.05rem .5rem;border:1px solid color-mix(in srgb,var(--good) 40%,transparent);border-radius:1rem;color:var(--good);font-size:.8rem;font-weight:600;white-space:nowrap}
.rows>.row+.row{padding-top:.9rem;border-top:1px solid var(--line)}
main:not(.wide)>form>button{width:100%}
main:not(.wide) .buttons>button{flex:1 1 auto}
.mail{display:block;width:100%;margin:1.25rem 0;border:1px solid var(--line);border-radius:var(--radius)}
iframe.mail{height:38rem;background:#fff}
pre.mail{padding:1.1rem;white-space:pre-wrap;overflow-wrap:anywhere;font:.9rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.developer{margin:1.5rem 0 0;padding:1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground);font-size:.9rem;text-align:left}
.developer h2{font-size:.9rem}
.developer dl{margin:.5rem 0 0}
.developer dt{color:var(--soft)}
.developer dd{margin:0 0 .5rem;overflow-wrap:anywhere}
.job{padding:1rem 1.15rem;border:1px solid var(--line);border-radius:var(--radius)}
.job h3{margin:0;font-size:1rem}
.job p{margin:.35rem 0 0}
.job code{font-size:.85rem}
.job progress{width:100%;height:.6rem;margin-top:.6rem;accent-color:var(--fill)}
.job .state{margin:0;color:var(--soft);font-weight:600}
.job .completed{color:var(--good)}
.job .failed,.job .expired{color:var(--bad)}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem;margin:1.25rem 0 1.75rem}
.top p{margin:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(min-width:34rem){.pair{grid-template-columns:1fr 1fr}}
@media(min-width:52rem){section:has(>div+div){display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2.5rem}}
@media(max-width:52rem){section>div+div{margin-top:1rem}}
/* A long button goes below the text, so that an address of usual length stays on one line. */
@media(max-width:34rem){.row{flex-wrap:wrap}.row>:first-child{flex:1 1 14rem}.rows>.row{flex-direction:column;align-items:flex-start;gap:.75rem}.rows>.row>:first-child{flex:none}}
@media(max-width:34rem){body{padding:0;justify-content:flex-start;background:var(--card)}main,main.wide{margin:0;padding:2rem 1.25rem;border:0;border-radius:0;box-shadow:none}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
@media(forced-colors:active){main,.mark,.avatar{border:1px solid}}
${copyRules}`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const stylesheetPath = `/login/assets/${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`;

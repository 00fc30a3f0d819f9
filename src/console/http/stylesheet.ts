import { copyRules } from '#src/http/pages/copy.js';
import { cssProperties, palettes } from '#src/http/pages/palette.js';

/**
 * The style sheet of the console: light and dark, from 320 pixels up, with a contrast above 4.5:1 everywhere, in the colours of
 * the login pages.
 */
export const stylesheet = `
:root{color-scheme:light dark;${cssProperties(palettes.light)}}
@media(prefers-color-scheme:dark){:root{${cssProperties(palettes.dark)}}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;min-height:100vh;font:.95rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--ground);color:var(--ink)}
.away{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;z-index:2;padding:.6rem 1rem;background:var(--card);border-radius:.5rem}
.skip:focus{top:1rem}
a{color:var(--accent);text-underline-offset:.2em}
p{margin:.25rem 0 .75rem;overflow-wrap:anywhere}
.soft,.hint{color:var(--soft)}
.hint{margin:.3rem 0 0;font-size:.88rem}
code,.exact{font:.9em ui-monospace,SFMono-Regular,Consolas,monospace;overflow-wrap:anywhere}
:focus-visible{outline:3px solid #d97706;outline-offset:2px}
.menu{padding:1rem;background:var(--card);border-bottom:1px solid var(--line)}
.menu ul{list-style:none;margin:0 0 1rem;padding:0}
.menu li a{display:block;padding:.45rem .75rem;border-radius:.5rem;color:var(--ink);text-decoration:none}
.menu li a:hover{background:var(--ground)}
.menu li a[aria-current]{background:var(--ground);box-shadow:inset 3px 0 var(--accent);font-weight:600}
.menu h2{margin:1.25rem .75rem .35rem;font-size:.8rem;color:var(--soft);overflow-wrap:anywhere}
.product{margin:0}
.product a{display:inline-flex;align-items:center;gap:.6rem;font-weight:700;color:var(--ink);text-decoration:none}
.mark{display:grid;place-items:center;width:1.9rem;height:1.9rem;border-radius:.5rem;background:var(--fill);color:var(--onfill);font-weight:700}
.me{padding:.75rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
.me form{margin:.5rem 0 0}
.me .links{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.drawer{margin-top:.75rem}
@media(max-width:59.99rem){.menu{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem}.drawer{flex:0 0 100%;display:none}#menu-open:checked~.drawer{display:block}#menu-open:focus-visible~.opener{outline:3px solid #d97706;outline-offset:2px}}
@media(min-width:60rem){body{display:grid;grid-template-columns:16rem minmax(0,1fr)}.menu{position:sticky;top:0;height:100vh;overflow-y:auto;display:flex;flex-direction:column;padding:1.25rem .75rem;border-bottom:0;border-right:1px solid var(--line)}.drawer{flex:1;display:flex;flex-direction:column}.drawer nav{flex:1}.product{padding:0 .75rem}.menu .opener,#menu-open{display:none}}
main{width:100%;max-width:76rem;padding:1.25rem 1rem 4rem}
@media(min-width:60rem){main{padding:2rem 2.5rem 5rem}}
h1{margin:0;font-size:1.55rem;line-height:1.25;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 .35rem;font-size:1.1rem;line-height:1.3}
h3{margin:1rem 0 .25rem;font-size:1rem}
.title{display:flex;flex-wrap:wrap;align-items:flex-start;justify-content:space-between;gap:.75rem 1.5rem;margin:0 0 1.25rem}
.title p{margin:.25rem 0 0}
.actions,.buttons,.pager{display:flex;flex-wrap:wrap;gap:.6rem}
.crumbs{display:flex;flex-wrap:wrap;gap:.35rem 1rem;margin:0 0 .5rem;font-size:.9rem}
.crumbs a::after{content:"/";display:inline-block;padding-left:.4rem;color:var(--soft)}
.card{margin:0 0 1.25rem;padding:1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.8rem}
.cards{display:grid;gap:1.25rem;margin:0 0 1.25rem}
.cards .card{margin:0}
.card>h2+form{margin-top:.75rem}
.card h3{margin-top:1.5rem}
.card form+.facts{margin-top:1.5rem}
.logo{max-width:100%;max-height:3rem}
form.next{margin-top:1.75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.color{display:flex;flex-wrap:wrap;gap:0 1rem}
.color .field:first-child{flex:1 1 14rem}
.previews iframe{display:block;width:100%;height:36rem;border:1px solid var(--line);border-radius:.8rem}
.previews h3{margin-top:0}
h4{margin:1rem 0 .35rem;font-size:.9rem}
@media(min-width:70rem){.beside{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,24rem);gap:2rem}}
@media(max-width:69.99rem){.previews{margin-top:1.75rem}}
.fields{display:grid;gap:0 1.5rem}
@media(min-width:40rem){.fields{grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))}}
details{margin:0 0 1rem}
summary{cursor:pointer}
details[open]>summary{margin-bottom:1rem}
td details{margin:.25rem 0 0}
@media(min-width:70rem){.cards{grid-template-columns:repeat(2,minmax(0,1fr))}}
.tabs{margin:0 0 1.25rem;border-bottom:1px solid var(--line)}
.tabs ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}
.tabs a{display:block;padding:.5rem .1rem;color:var(--soft);text-decoration:none;border-bottom:3px solid transparent}
.tabs a:hover{color:var(--ink)}
.tabs a[aria-current]{color:var(--ink);font-weight:600;border-color:var(--accent)}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:.8rem;overflow:hidden}
th,td{padding:.6rem .9rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-size:.85rem;color:var(--soft);font-weight:600;overflow-wrap:break-word}
tbody tr:last-child td{border-bottom:0}
tbody tr:hover{background:var(--ground)}
th{white-space:nowrap}
@media(min-width:46.01rem){td>div{min-width:5.5rem}}
td form{margin:0}
td button,td .button{white-space:nowrap}
.card table{border-radius:.5rem}
@media(max-width:46rem){thead{display:none}table,tbody,tr,td{display:block}td{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.75rem;border:0;padding:.3rem .9rem}.card td{padding:.3rem .6rem}td::before{content:attr(data-label);color:var(--soft);font-size:.85rem}td>*{grid-column:2;justify-self:start}td:empty{display:none}tr{padding:.6rem 0;border-bottom:1px solid var(--line)}tbody tr:last-child{border-bottom:0}}
.pager{margin:1rem 0 0}
.empty{padding:2rem 1.25rem;text-align:center;color:var(--soft);background:var(--card);border:1px dashed var(--edge);border-radius:.8rem}
.empty p{margin:0 0 .75rem}
.empty p:last-child{margin:0}
.facts{display:grid;gap:.75rem 2rem;margin:0}
.facts div{min-width:0}
.facts dt{font-size:.85rem;color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
@media(min-width:40rem){.facts{grid-template-columns:repeat(auto-fill,minmax(15rem,1fr))}}
.badge{display:inline-block;padding:.05rem .55rem;border:1px solid var(--edge);border-radius:1rem;font-size:.85rem;white-space:nowrap}
.badge.good{color:var(--good);border-color:currentColor;background:var(--goodground)}
.badge.bad{color:var(--bad);border-color:currentColor;background:var(--badground)}
.alert,.notice,.once{margin:0 0 1.25rem;padding:.75rem 1rem;border-radius:.6rem;border-left:4px solid var(--bad);background:var(--badground);color:var(--bad)}
.notice,.once{border-color:var(--good);background:var(--goodground);color:var(--good)}
.once{color:var(--ink)}
.notice.pending{border-color:var(--accent);background:var(--card);color:var(--ink)}
.alert p:last-child,.notice p:last-child{margin:0}
.alert ul{margin:.4rem 0 0;padding-left:1.2rem}
.alert a{color:inherit}
.secret{display:block;padding:.6rem .8rem;background:var(--field);border:1px solid var(--edge);border-radius:.5rem;user-select:all}
pre{margin:.5rem 0 1rem;padding:.8rem 1rem;overflow-x:auto;background:var(--field);border:1px solid var(--line);border-radius:.5rem;font:.88rem/1.5 ui-monospace,SFMono-Regular,Consolas,monospace}
form{margin:0}
form.inline{display:inline-block}
form.search{display:flex;flex-wrap:wrap;gap:.6rem;align-items:flex-end;margin:0 0 1.25rem}
form.search .field{flex:1 1 16rem;margin:0}
.field,.check{margin:0 0 1rem;max-width:40rem}
label{display:block;margin:0 0 .3rem;font-weight:600}
.check{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.1rem .6rem;align-items:baseline}
.check label{margin:0;font-weight:400}
.check .hint{grid-column:2;margin:0}
.check input{width:1.1rem;height:1.1rem;min-height:0;accent-color:var(--accent)}
input,select,textarea{width:100%;min-height:2.6rem;padding:.45rem .7rem;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.5rem}
input[type=file]{padding:.5rem}
input[type=color]{width:4rem;padding:.2rem}
textarea{min-height:5rem}
fieldset{margin:0 0 1rem;padding:0;border:0;min-width:0}
legend{margin:0 0 .35rem;padding:0;font-weight:600}
[aria-invalid=true]{border:2px solid var(--bad);scroll-margin-top:5rem}
.error{margin:.3rem 0 0;font-size:.9rem;color:var(--bad)}
.check .error{grid-column:2}
.error+.hint{margin-top:.2rem}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.5rem;padding:.4rem 1rem;font:inherit;font-weight:600;text-decoration:none;border:1px solid var(--filledge);border-radius:.5rem;background:var(--fill);color:var(--onfill);cursor:pointer}
button:hover,.button:hover{background:var(--fillhover)}
button.quiet,.button.quiet{background:transparent;color:var(--ink);border-color:var(--edge)}
button.quiet:hover,.button.quiet:hover{background:var(--ground)}
button.danger,button.danger:hover{background:var(--bad);border-color:var(--bad);color:var(--card)}
button.quiet.danger,button.quiet.danger:hover,.button.quiet.danger,.button.quiet.danger:hover{background:transparent;color:var(--bad)}
td input[type=checkbox]{width:1.2rem;height:1.2rem;min-height:0;accent-color:var(--accent)}
.chosen{margin-top:1rem}
td .badge{justify-self:start}
/* A long name breaks only between its words. */
.joined{overflow-wrap:normal}
.whole{display:inline-block;overflow-wrap:anywhere}
@media(min-width:46.01rem){.whole{min-width:11rem}}
form.search .field:has(select){flex:0 1 12rem}
fieldset.section{margin:0 0 1.75rem;display:grid;gap:0 1.5rem}
fieldset.section legend{font-size:1.1rem;margin:0 0 .6rem}
@media(min-width:48rem){fieldset.section{grid-template-columns:repeat(2,minmax(0,1fr))}}
.card table+form,.card table+.buttons,.card .facts+.buttons,.card .facts{margin-top:1rem}
section.next{margin-top:2rem}
:is(table,.empty,.pager,.hint)+.card{margin-top:1.25rem}
.facts+:is(form,.field){margin-top:1.25rem}
.facts+:is(.hint,table){margin-top:.75rem}
.hint+:is(.field,.check){margin-top:1rem}
.hint+:is(form,.buttons){margin-top:.5rem}
.step{margin:0 0 1.5rem}
.storages:not(:has([value=Gcs]:checked)) .of-gcs,.storages:not(:has([value=S3]:checked)) .of-s3,.storages:not(:has([value=Azure]:checked)) .of-azure{display:none}
.kinds:has([value=boolean]:checked,[value=decimal]:checked,[value=dateTime]:checked,[value=integer]:checked) :is(.of-list,.of-text),.kinds:has([value=boolean]:checked,[value=decimal]:checked,[value=dateTime]:checked) .of-key,.kinds:has([value=reference]:checked) .of-text{display:none}
input.masked{-webkit-text-security:disc}
progress{width:100%;height:.6rem;accent-color:var(--accent)}
ul.plain{list-style:none;margin:0;padding:0}
ul.plain>li{padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
ul.plain>li:last-child{border-bottom:0}
@media(forced-colors:active){.card,table,.alert,.notice,.menu{border:1px solid}}
@media(prefers-reduced-motion:no-preference){.htmx-request .results{opacity:.6;transition:opacity .1s}}
${copyRules}`;

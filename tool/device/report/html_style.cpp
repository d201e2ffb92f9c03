// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_text.hpp"

namespace device::report::html {

std::string_view style() {
  return R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --quiet: #5f6670; --rule: #d9dde3; --cell: #f6f7f9;
  --good: #0067a3; --bad: #b34700; --heat: 213, 94, 0; --mark: #fff3cd; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e6e8eb; --quiet: #9aa3ae; --rule: #343a42;
  --cell: #1d2126; --good: #6cb8ee; --bad: #ff9a57; --heat: 255, 140, 60; --mark: #4a3d12; }
  .picture svg { filter: invert(.91) hue-rotate(180deg); } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1500px; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.35rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; padding-top: .8rem;
  border-top: 2px solid var(--rule); overflow-wrap: anywhere; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .3rem 0; } a { color: var(--good); text-decoration: none; } a:hover { text-decoration: underline; }
code, .src { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .86em; }
.quiet { color: var(--quiet); } .full { overflow-wrap: anywhere; color: var(--quiet); }
.scroll { overflow-x: auto; margin: .4rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .6rem; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { white-space: nowrap; font-weight: 600; } th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--good); }
th[aria-sort=ascending] button::after { content: " \25B4"; }
th[aria-sort=descending] button::after { content: " \25BE"; }
.n { text-align: right; white-space: nowrap; } .zero { color: var(--quiet); }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: .7rem 0; }
.tile { background: var(--cell); border: 1px solid var(--rule); border-radius: 6px;
  padding: .45rem .8rem; min-width: 9rem; }
.tile b { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--quiet); font-size: .85rem; }
.finding { border-left: 4px solid var(--bad); padding: .2rem .7rem; margin: .5rem 0;
  background: var(--cell); overflow-wrap: anywhere; }
.finding pre { margin: .2rem 0 0; white-space: pre-wrap; font-size: .86em; }
details { margin: .5rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
.picture { overflow-x: auto; margin: .5rem 0; } .picture svg { max-width: none; display: block; border-radius: 6px; }
.why { white-space: pre; overflow-x: auto; background: var(--cell); border: 1px solid var(--rule); border-radius: 6px;
  padding: .6rem; font-size: .8em; }
fieldset { border: 1px solid var(--rule); border-radius: 6px; padding: .2rem .7rem .35rem;
  margin: .8rem 0; display: inline-block; }
legend { color: var(--quiet); font-size: .85rem; } label { margin-right: .9rem; display: inline-block; }
.src { border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; line-height: 1.5; }
.row { display: grid; grid-template-columns: 5.5ch minmax(0, 1fr) repeat(3, 18ch) 13ch 6ch;
  column-gap: 1ch; padding: 0 .6rem;
  background: rgba(var(--heat), calc(var(--h, 0) * .34)); }
.row:target { outline: 2px solid var(--good); outline-offset: -2px; }
.row > .l { color: var(--quiet); text-align: right; user-select: none; }
.row > .c { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.row > .f { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.row .x { color: var(--bad); font-weight: 600; }
.head { position: sticky; top: 0; background: var(--cell); border-bottom: 1px solid var(--rule);
  font-weight: 600; z-index: 1; }
.head > * { color: var(--quiet); }
.gap { color: var(--quiet); background: var(--cell); padding: 0 .6rem 0 7ch; border-block: 1px solid var(--rule); }
.from { display: block; color: var(--quiet); white-space: normal; font-size: .93em; }
.note { display: block; color: var(--bad); white-space: normal; }
body[data-how=own] .i, body[data-how=inlined] .o { display: none; }
body[data-how=own] .row { --h: var(--ho, 0); } body[data-how=inlined] .row { --h: var(--hi, 0); }
@media (max-width: 800px) {
  body { padding: .7rem; font-size: 14px; } th, td { padding: .2rem .4rem; } .tile { min-width: 7.5rem; flex: 1; }
  .src { overflow: visible; }
  .row { display: block; padding: 0 .3rem 0 5ch; position: relative; min-height: 1.5em; }
  .row.head { display: none; }
  .row > .l { position: absolute; left: 0; width: 4.2ch; }
  .row > .c { display: block; }
  .row > .f { display: inline-block; margin-right: 1.2ch; } .row > .f:empty { display: none; }
  .row > .f:not(:empty)::before { content: attr(data-k) " "; color: var(--quiet); }
  body[data-how=own] .row > .f.only-i, body[data-how=inlined] .row > .f.only-o { display: none; }
}
@media print { .src { break-inside: auto; } th button::after { content: none !important; } }
)css";
}

std::string_view script() {
  return R"js(
for (const th of document.querySelectorAll('th')) th.querySelector('button').addEventListener('click', () => {
  const table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;
  const numeric = th.classList.contains('n');
  const down = th.getAttribute('aria-sort') ? th.getAttribute('aria-sort') === 'ascending' : numeric;
  for (const other of table.querySelectorAll('th')) other.removeAttribute('aria-sort');
  th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const value = row => { const c = row.cells[column]; return c.dataset.v ?? c.textContent; };
  const compare = numeric ? (a, b) => value(a) - value(b)
                          : (a, b) => value(a).localeCompare(value(b), 'en', {numeric: true});
  body.append(...[...body.rows].sort((a, b) => down ? compare(b, a) : compare(a, b)));
});
for (const choice of document.querySelectorAll('input[name=how]'))
  choice.addEventListener('change', () => { document.body.dataset.how = choice.value; });
const reveal = () => {
  const at = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let e = at; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
  if (at) at.scrollIntoView({block: 'center'});
};
addEventListener('hashchange', reveal);
reveal();
)js";
}

}  // namespace device::report::html

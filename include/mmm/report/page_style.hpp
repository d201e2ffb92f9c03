// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

//! The look of all pages: those of mmm::report::page and of the programs.
namespace mmm::report::detail {

//! The style sheet: light or dark as the reader's system is, from 400 pixels on. Numbers of tables
//! have the class `n`; pictures stand in a `picture`.
[[nodiscard]] inline std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --quiet: #5f6670; --rule: #d9dde3;
  --cell: #f6f7f9; --good: #0067a3; --bad: #b34700; --heat: 213, 94, 0; --mark: #fff3cd;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e6e8eb; --quiet: #9aa3ae; --rule: #343a42;
    --cell: #1d2126; --good: #6cb8ee; --bad: #ff9a57; --heat: 255, 140, 60; --mark: #4a3d12;
  }
  .picture svg { filter: invert(.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1500px; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.35rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 {
  font-size: 1.15rem; margin: 2.2rem 0 .3rem; padding-top: .8rem;
  border-top: 2px solid var(--rule); overflow-wrap: anywhere;
}
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
a { color: var(--good); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .src {
  font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .86em;
}
.quiet { color: var(--quiet); }
.full { overflow-wrap: anywhere; color: var(--quiet); }
.scroll { overflow-x: auto; margin: .4rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td {
  padding: .22rem .6rem; text-align: left; border-bottom: 1px solid var(--rule);
  vertical-align: top;
}
th { white-space: nowrap; font-weight: 600; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--good); }
th[aria-sort=ascending] button::after { content: " \25B4"; }
th[aria-sort=descending] button::after { content: " \25BE"; }
.n { text-align: right; white-space: nowrap; }
.zero { color: var(--quiet); }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: .7rem 0; }
.tile {
  background: var(--cell); border: 1px solid var(--rule); border-radius: 6px;
  padding: .45rem .8rem; min-width: 9rem;
}
.tile b { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--quiet); font-size: .85rem; }
.finding {
  border-left: 4px solid var(--bad); padding: .2rem .7rem; margin: .5rem 0;
  background: var(--cell); overflow-wrap: anywhere; white-space: pre-wrap;
}
.finding pre { margin: .2rem 0 0; white-space: pre-wrap; font-size: .86em; }
details { margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.picture { overflow-x: auto; margin: .5rem 0; }
.picture svg {
  max-width: 100%; height: auto; display: block; border-radius: 6px; cursor: zoom-in;
}
.picture.large svg { max-width: none; cursor: zoom-out; }
.why {
  white-space: pre; overflow-x: auto; background: var(--cell); border: 1px solid var(--rule);
  border-radius: 6px; padding: .6rem; font-size: .8em;
}
@media (max-width: 800px) {
  body { padding: .7rem; font-size: 14px; }
  th, td { padding: .2rem .4rem; }
  .tile { min-width: 7.5rem; flex: 1; }
}
@media print { th button::after { content: none !important; } }
)css";
}

//! The script of a page. A click on the head of a column sorts a table by `data-v`, or else by the
//! text of the cells. A click on a picture changes between the page's width and its own.
[[nodiscard]] inline std::string_view page_script() {
  return R"js(
for (const th of document.querySelectorAll('th')) {
  const sort = () => {
    const table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;
    const numeric = th.classList.contains('n'), sorted = th.getAttribute('aria-sort');
    const down = sorted ? sorted === 'ascending' : numeric;
    for (const other of table.querySelectorAll('th')) other.removeAttribute('aria-sort');
    th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const value = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const words = (a, b) => a.localeCompare(b, 'en', {numeric: true});
    const compare = (a, b) => numeric && a - b || words(a, b);
    const ordered = [...body.rows].sort((a, b) => compare(value(a), value(b)));
    body.append(...(down ? ordered.reverse() : ordered));
  };
  const button = document.createElement('button');
  button.append(...th.childNodes);
  button.addEventListener('click', sort);
  th.append(button);
}
for (const picture of document.querySelectorAll('.picture'))
  picture.addEventListener('click', () => picture.classList.toggle('large'));
)js";
}

}  // namespace mmm::report::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_text.hpp"

namespace device::report::html {

std::string_view style() {
  return R"css(fieldset { border: 1px solid var(--rule); border-radius: 6px; padding: .2rem .7rem .35rem;
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
main[data-how=own] .i, main[data-how=inlined] .o { display: none; }
main[data-how=own] .row { --h: var(--ho, 0); } main[data-how=inlined] .row { --h: var(--hi, 0); }
@media (max-width: 800px) {
  .src { overflow: visible; }
  .row { display: block; padding: 0 .3rem 0 5ch; position: relative; min-height: 1.5em; }
  .row.head { display: none; }
  .row > .l { position: absolute; left: 0; width: 4.2ch; }
  .row > .c { display: block; }
  .row > .f { display: inline-block; margin-right: 1.2ch; } .row > .f:empty { display: none; }
  .row > .f:not(:empty)::before { content: attr(data-k) " "; color: var(--quiet); }
  main[data-how=own] .row > .f.only-i, main[data-how=inlined] .row > .f.only-o { display: none; }
}
@media print { .src { break-inside: auto; } }
)css";
}

std::string_view script() {
  return R"js(for (const choice of document.querySelectorAll('input[name=how]'))
  choice.addEventListener('change', () => { document.querySelector('main').dataset.how = choice.value; });
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

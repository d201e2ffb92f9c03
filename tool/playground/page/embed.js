// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For a page of the site that shows the playground in a frame: its address bar keeps the
// playground's state, the frame is as high as what it shows and has the page's colours.
'use strict';

(() => {
  const frame = document.getElementById('playground');
  const scheme = () => document.body.dataset.mdColorScheme === 'slate' ? 'dark' : 'light';
  const paper = () => getComputedStyle(document.body).backgroundColor;
  const tellScheme = () => frame.contentWindow.postMessage({mmm: {scheme: scheme(), paper: paper()}}, '*');
  addEventListener('message', ({source, data}) => {
    if (source !== frame.contentWindow || !data.mmm) return;
    const {height, state} = data.mmm;
    if (height !== undefined) frame.style.height = `${Math.ceil(height)}px`;
    if (state !== undefined)
      history.replaceState(null, '', state ? '#' + state : location.pathname + location.search);
  });
  frame.addEventListener('load', tellScheme);
  new MutationObserver(tellScheme).observe(document.body, {attributeFilter: ['data-md-color-scheme']});
  const isState = () => location.hash.includes('=');  // else it is a heading of the page
  const show = () => { frame.src = frame.dataset.src + (isState() ? location.hash : ''); };
  addEventListener('hashchange', () => { if (isState()) show(); });
  show();
})();

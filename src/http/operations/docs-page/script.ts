/**
 * Script of the page: a search over operations and errors, and copy buttons. It writes no markup, only text and
 * attributes, and sends no request. The page is complete without it.
 */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const search = document.getElementById('search');
const found = document.getElementById('found');
const targets = all('article.operation, #errors .codes > div, section.topic');
const texts = new Map(targets.map((target) => [target, target.textContent.toLowerCase()]));
const entries = new Map(all('nav li a').map((link) => [link.hash, link.parentElement]));

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const target of targets) {
    const fits = words.every((word) => texts.get(target).includes(word));
    target.hidden = !fits;
    if (fits) count += 1;
    const entry = entries.get('#' + target.id);
    if (entry) entry.hidden = !fits;
  }
  for (const part of all('nav .part, main > section.group')) {
    part.hidden = words.length > 0 && !part.querySelector('li:not([hidden]), article:not([hidden]), .codes > div:not([hidden])');
  }
  document.body.classList.toggle('searching', words.length > 0);
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 found' : count + ' found';
}

if (matchMedia('(max-width: 52rem)').matches) document.querySelector('.contents').open = false;
search.closest('form').hidden = false;
search.closest('form').addEventListener('submit', (event) => event.preventDefault());
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape' && document.activeElement === search) { search.value = ''; filter(); }
});

for (const pre of all('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copy(pre)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  const box = document.createElement('div');
  box.className = 'code';
  pre.replaceWith(box);
  box.append(pre, button);
}

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(pre);
    return false;
  }
}
`
